import { ascending } from 'd3';
import type { Row } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import {
  loadKnownThreads,
  loadProcesses,
  type KnownThreads,
  type NamedProcess,
} from '../../threads/index.ts';
import type { MeasuredTrace } from '../measures/index.ts';
import type { Rule } from '../rule.ts';
import { shippedRules } from '../shipped-rules.ts';
import type { Draw, DrawnRow } from './draw.ts';
import { slowDisk } from './of-disks.ts';
import { freezeInFocus } from './of-focus.ts';
import { lostEvents } from './of-gaps.ts';
import { longInterrupt } from './of-interrupts.ts';
import { growingCost, serialisedExits } from './of-lives.ts';
import { userLockContention } from './of-locks.ts';
import * as measured from './of-measures.ts';
import { hotLoop, kernelShare } from './of-samples.ts';

/** How the rows of shipped rules are drawn, by the ids of the rules. */
const DRAWS: Readonly<Record<string, Draw>> = {
  'bimodal-waits': measured.bimodalWaits,
  'blame-above-bound': measured.blameAboveBound,
  'freeze-in-focus': freezeInFocus,
  'growing-cost': growingCost,
  'hot-loop': hotLoop,
  'kernel-share': kernelShare,
  'long-interrupt': longInterrupt,
  'long-ready-wait': measured.longReadyWait,
  'lost-events': lostEvents,
  migration: measured.migration,
  preemption: measured.preemption,
  'rank-starvation': measured.rankStarvation,
  'release-moment': measured.releaseMoment,
  'serialised-exits': serialisedExits,
  'slow-disk': slowDisk,
  'switch-storm': measured.switchStorm,
  'user-lock-contention': userLockContention,
};

/**
 * What the SELECT of a shipped rule finds, at most so many rows, with the names of threads and processes, as `run-rule.sql` gives them. Null
 * for a rule of a user, and where SQL has to tell.
 */
export async function drawnRows(
  { id, text, threshold }: Rule,
  trace: MeasuredTrace,
  most: number,
): Promise<readonly Row[] | null> {
  const draw = isShipped(id, text) ? DRAWS[id] : undefined;
  const rows = draw === undefined ? null : await draw(trace, threshold.value);
  if (rows === null || rows.length === 0) return rows;
  const { tables } = dataOf(trace.query);
  const [threads, processes] = [await loadKnownThreads(tables), await loadProcesses(tables)];
  return [...rows]
    .sort((a, b) => b.seconds_lost - a.seconds_lost || ascending(a.ts, b.ts))
    .slice(0, most)
    .map((row) => ({ ...row, ...namesOf(row, threads, processes) }));
}

/** A user's rule may have the name of a shipped one. */
function isShipped(id: string, text: string): boolean {
  return shippedRules.some((file) => file.name === `${id}.sql` && file.text === text);
}

function namesOf(
  { utid, upid }: DrawnRow,
  threads: KnownThreads,
  processes: ReadonlyMap<number, NamedProcess>,
): Row {
  const thread = utid === null ? undefined : threads.of(utid);
  const process = processes.get(upid ?? thread?.upid ?? -1);
  return {
    ...{
      tid: thread?.tid ?? null,
      thread_name: thread?.thread ?? null,
      thread_service: thread?.service ?? null,
    },
    ...{ pid: process?.pid ?? null, process_name: process?.process ?? null },
    process_services: process?.services ?? null,
  };
}

import {
  busyDrivers,
  longestWaits,
  readMachine,
  type Change,
  type ReplayedMachine,
  type WhatIf,
} from '../../shared/causes/index.ts';
import { aroundSteps } from '../../shared/cpu-sum/around-steps.ts';
import { visitRan } from '../../shared/cpu-sum/visit-ran.ts';
import type { Query } from '../../shared/engine/index.ts';
import { formatCount } from '../../shared/model/index.ts';
import { boundsOf, loadRecording, type Known } from '../../shared/recording/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel, utidsMatching, type ThreadName } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { loadMachine } from '../../shared/why-late/columns/index.ts';
import { recording as needs, type WhatIfParams } from './params.ts';

type Names = ReadonlyMap<number, ThreadName>;

/** A change, and how long the threads would have been ready with it. */
export interface Tried extends WhatIf {
  readonly change: string;
}

/** All that the view draws. */
export interface WhatIfModel extends Known {
  /** Whose waits they are, in words. */
  readonly threads: string;
  /** Why there is nothing to estimate; null where there is something. */
  readonly nothing: string | null;
  /** The shortest wait first; null until the queues have been run again. */
  readonly tried: readonly Tried[] | null;
}

/** The highest priority that is not real-time. */
const HIGH_PRIORITY = 15;
/** Of so many context switches at most the queues are run again: memory and time grow with these. */
const MOST_SWITCHES = 5_000_000;
/** So many of the programs that ran most are left out in turn. */
const MOST_LEFT_OUT = 3;
/** The ids of Idle and System, which no machine is without. */
const ALWAYS_THERE: readonly unknown[] = [0, 4];

/** Finds the threads that are asked for. */
export async function loadWhatIf(query: Query, params: WhatIfParams, range: TimeRange): Promise<WhatIfModel> {
  const { origin_ns, unrecorded, notes } = await loadRecording(query, needs, boundsOf(range));
  const names = await loadThreadNames(dataOf(query).tables);
  const utids = unrecorded === null ? await askedFor(query, params, range, names) : [];
  const [first] = utids;
  const threads =
    utids.length === 1 && first !== undefined
      ? threadLabel(names.get(first))
      : [params.process, params.thread].filter((each) => each !== null).join(', ');
  const nothing =
    utids.length > 0
      ? tooMany(await countSwitches(query, range))
      : params.process === null && params.thread === null
        ? 'No thread was ready without running in this range.'
        : 'The trace has no such thread.';
  return { origin_ns, unrecorded, notes, threads, nothing, tried: null };
}

/** Runs the ready queues again, with one change after the other. */
export async function loadTried(
  query: Query,
  params: WhatIfParams,
  range: TimeRange,
  model: WhatIfModel,
): Promise<WhatIfModel> {
  if (model.unrecorded !== null || model.nothing !== null) return model;
  const { tables } = dataOf(query);
  const names = await loadThreadNames(tables);
  const asked = new Set(await askedFor(query, params, range, names));
  const { range_start: start, range_end: end } = boundsOf(range);
  const machine = await readMachine(query, { start, end }, (await loadMachine(tables)).cpu_count);
  const tried: Tried[] = [];
  const changes = changesOf(params, asked, names, machine);
  const [driver] = (await busyDrivers(query, { start, end })).keys();
  if (driver !== undefined) changes.set(`${driver} half as long`, { kind: 'driver', driver, part: 0.5 });
  for (const [change, made] of changes) tried.push({ change, ...(await machine.whatIf(made, asked)) });
  if ((tried[0]?.bursts ?? 0) === 0)
    return { ...model, nothing: 'None of these threads was switched in and blocked in this range.' };
  return { ...model, tried: tried.sort((a, b) => a.estimate_ns - b.estimate_ns) };
}

/** What is said of a range with more context switches than are run again; null of another. */
export function tooMany(switches: number): string | null {
  return switches > MOST_SWITCHES
    ? `The range has ${formatCount(switches)} context switches. Zoom to a part with ${formatCount(MOST_SWITCHES)} at most.`
    : null;
}

async function countSwitches(query: Query, range: TimeRange): Promise<number> {
  const { tables } = dataOf(query);
  const { range_start: start, range_end: end } = boundsOf(range);
  let all = 0;
  await visitRan(tables, await aroundSteps(tables, { start, end }), (_, __, ___, ____, _____, switches) => {
    all += switches;
  });
  return all;
}

async function askedFor(
  query: Query,
  params: WhatIfParams,
  range: TimeRange,
  names: Names,
): Promise<readonly number[]> {
  return utidsMatching(names, params) ?? (await longestWaits(query, 1, range)).map(({ utid }) => utid);
}

/** The changes that are tried: those that are asked for, and those that help most often. */
function changesOf(
  { rank, priority, more_cpus, without }: WhatIfParams,
  utids: ReadonlySet<number>,
  names: Names,
  machine: ReplayedMachine,
): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const each of [0, rank ?? 0]) changes.set(`rank ${each}`, { kind: 'rank', utids, rank: each });
  for (const each of [HIGH_PRIORITY, priority ?? HIGH_PRIORITY])
    changes.set(`priority ${each}`, { kind: 'priority', utids, priority: each });
  for (const more of [1, more_cpus ?? 1])
    changes.set(more === 1 ? 'one CPU more' : `${more} CPUs more`, { kind: 'cpus', more });
  const gone = utidsMatching(names, { process: without, thread: null });
  if (gone !== null) changes.set(`without ${without ?? ''}`, { kind: 'gone', utids: others(gone, utids) });
  for (const [program, of] of busiest(utids, names, machine))
    changes.set(`without ${program}`, { kind: 'gone', utids: of });
  return changes;
}

const others = (utids: Iterable<number>, asked: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([...utids].filter((utid) => !asked.has(utid)));

/** The programs that used most CPU time, other than those that are asked for, with their threads. */
function busiest(
  asked: ReadonlySet<number>,
  names: Names,
  { ran_ns }: ReplayedMachine,
): readonly (readonly [program: string, utids: ReadonlySet<number>])[] {
  const own = new Set([...asked].map((utid) => names.get(utid)?.process));
  const programs = new Map<string, { utids: Set<number>; ns: number }>();
  for (const [utid, ns] of ran_ns) {
    const { process, pid } = names.get(utid) ?? {};
    if (process == null || own.has(process) || ALWAYS_THERE.includes(pid)) continue;
    const program = programs.get(process) ?? { utids: new Set(), ns: 0 };
    programs.set(process, program);
    program.utids.add(utid);
    program.ns += ns;
  }
  return [...programs]
    .sort(([, a], [, b]) => b.ns - a.ns)
    .slice(0, MOST_LEFT_OUT)
    .map(([program, { utids }]) => [program, utids]);
}

import type { Things } from '../../../shared/compare/things.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf, numberAt, textAt, type Batch } from '../../../shared/tables/index.ts';
import {
  estimateWhys,
  loadJudgedRanks,
  type JudgedRanks,
  type Wait,
} from '../../../shared/why-late/columns/index.ts';
import type { MainWhy } from '../../../shared/why-late/index.ts';
import type { LakeRow } from '../tables.ts';
import { Chains, type ChainSums } from './chains.ts';
import { processName, threadName } from './names.ts';
import { classBelow, classFrom, waitClass } from './wait-class.ts';

const COLUMNS = [
  'ts',
  'te',
  'utid',
  'ended',
  'cause',
  'waker_utid',
  'rank',
  'priority',
  'cpu',
  'flags',
  'last_ready_ts',
] as const;
type WaitBatch = Batch<(typeof COLUMNS)[number]>;

/** So many waits are explained at a time: some 10 MB. */
const WAITS_AT_ONCE = 16_384;

/** Waits of one thread class, cause and class of length. */
interface Group {
  readonly thread: number;
  readonly cause: MainWhy;
  readonly ended: boolean;
  readonly of: number;
  waits: number;
  ready_ns: number;
  longest_ns: number;
  longest_ts: number;
  longest_utid: number;
}

/** What is summed up of ready waits: their lengths, and who woke whom. */
export interface ReadySummary extends ChainSums {
  readonly waits: readonly LakeRow<'ready_wait'>[];
}

/** Sums all ready waits of a trace in one pass, a batch at a time. `tids` are the ids of threads by key. */
export async function summariseReadyWaits(
  query: Query,
  things: Things,
  tids: ReadonlyMap<number, number>,
): Promise<ReadySummary> {
  const data = dataOf(query);
  const judged = await loadJudgedRanks(query);
  const groups = new Map<string, Group>();
  const chains = new Chains(things);
  for await (const batch of data.tables.batches('etw_ready_wait', COLUMNS, undefined, 'once')) {
    for (let from = 0; from < batch.rowCount; from += WAITS_AT_ONCE) {
      const waits = waitsOf(batch, from, Math.min(batch.rowCount, from + WAITS_AT_ONCE), judged);
      const whys = await estimateWhys(data, waits);
      waits.forEach((wait, at) => {
        const ended = batch.columns.ended.values[from + at] === 1;
        add(groups, things.threadOf(wait.utid), whys[at] ?? 'not_explained', ended, wait);
        const isWake = textAt(batch.columns.cause, from + at) === 'wake';
        if (isWake) chains.add(wait, numberAt(batch.columns.waker_utid, from + at));
      });
    }
  }
  const waits = [...groups.values()].map(
    ({ thread, cause, ended, of, waits, ready_ns, longest_ns, longest_ts, longest_utid }) => ({
      process: processName(things, thread),
      thread: threadName(things, thread),
      cause,
      ended,
      class: of,
      from_ns: classFrom(of),
      below_ns: classBelow(of),
      waits,
      ready_ns,
      longest_ns,
      longest_ts,
      longest_tid: tids.get(longest_utid) ?? null,
    }),
  );
  return { waits, ...chains.sums(tids) };
}

function waitsOf({ columns }: WaitBatch, from: number, to: number, judged: JudgedRanks): Wait[] {
  return Array.from({ length: to - from }, (_, at) => {
    const row = from + at;
    const [ts, utid] = [columns.ts.values[row] ?? 0, columns.utid.values[row] ?? 0];
    return {
      ts,
      te: columns.te.values[row] ?? 0,
      utid,
      rank: judged.of(utid, ts)?.rank ?? numberAt(columns.rank, row),
      priority: numberAt(columns.priority, row),
      cpu: numberAt(columns.cpu, row),
      flags: numberAt(columns.flags, row),
      last_ready_ts: numberAt(columns.last_ready_ts, row),
    };
  });
}

function add(
  groups: Map<string, Group>,
  thread: number,
  cause: MainWhy,
  ended: boolean,
  { ts, te, utid }: Wait,
): void {
  const ns = te - ts;
  const of = waitClass(ns);
  const key = `${thread} ${of} ${ended ? 1 : 0} ${cause}`;
  const group = groups.get(key);
  if (group === undefined) {
    const longest = { longest_ns: ns, longest_ts: ts, longest_utid: utid };
    groups.set(key, { thread, cause, ended, of, waits: 1, ready_ns: ns, ...longest });
    return;
  }
  group.waits += 1;
  group.ready_ns += ns;
  if (ns <= group.longest_ns) return;
  group.longest_ns = ns;
  group.longest_ts = ts;
  group.longest_utid = utid;
}

import { countBelow } from '../../causes/index.ts';
import { loadJudgedRanks } from '../../why-late/columns/index.ts';
import type { Measure } from './index.ts';

/** In place of a run. */
const NONE = -1;
/** More than there are keys of threads. */
const KEYS = 2 ** 26;

/** What one thread lost to another one that took its CPU. */
interface Taken {
  readonly utid: number;
  readonly by_utid: number;
  ready_ns: number;
  times: number;
  longest_ns: number;
  longest_ts: number;
  /** Of the longest wait. */
  rank: number;
  priority: number;
  by_rank: number;
  by_priority: number;
}

/** Pairs of threads of which one took the CPU of the other, which was ready then until it ran again. */
export const preempted: Measure = {
  columns: [
    ...['utid', 'by_utid', 'ts', 'dur', 'ready_ns', 'times'],
    ...['rank', 'priority', 'by_rank', 'by_priority'],
  ],
  async rows(recording) {
    const { runs, waits } = await recording.read();
    const judged = await loadJudgedRanks(recording.query);
    const [runTs, runTe, cpu, runUtid] = (['ts', 'te', 'cpu', 'utid'] as const).map((name) =>
      runs.column(name),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array];
    // A thread that is preempted leaves its CPU when the next run on that CPU begins. Those of a CPU are in the order of time.
    const next = new Int32Array(runs.count).fill(NONE);
    const last: number[] = [];
    for (let run = 0; run < runs.count; run++) {
      const on = cpu[run] ?? 0;
      const before = last[on];
      if (before !== undefined) next[before] = run;
      last[on] = run;
    }
    const runsOf = runs.by('utid');
    const pairs = new Map<number, Taken>();
    const [waitTs, waitTe, waitUtid] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const [causes, isPreempted] = [waits.column('cause'), waits.numberOf('cause', 'preempted')];
    for (let wait = 0; wait < waits.count; wait++) {
      if (causes[wait] !== isPreempted) continue;
      const [ts, utid] = [waitTs[wait] ?? 0, waitUtid[wait] ?? 0];
      const left = endingAt(runsOf(utid), runTe, ts);
      const by = left === null ? NONE : (next[left] ?? NONE);
      const by_utid = runUtid[by] ?? 0;
      if (by < 0 || by_utid === 0 || by_utid === utid || runTs[by] !== ts) continue;
      const key = utid * KEYS + by_utid;
      const ns = (waitTe[wait] ?? 0) - ts;
      const pair = pairs.get(key) ?? none(utid, by_utid);
      pairs.set(key, pair);
      pair.ready_ns += ns;
      pair.times++;
      if (ns <= pair.longest_ns) continue;
      pair.longest_ns = ns;
      pair.longest_ts = ts;
      pair.rank = judged.of(utid, ts)?.rank ?? waits.column('rank')[wait] ?? NaN;
      pair.priority = waits.column('priority')[wait] ?? NaN;
      pair.by_rank = runs.column('rank')[by] ?? NaN;
      pair.by_priority = runs.column('priority')[by] ?? NaN;
    }
    return [...pairs.values()]
      .sort((a, b) => b.ready_ns - a.ready_ns)
      .map((pair) => [
        ...[pair.utid, pair.by_utid, pair.longest_ts, pair.longest_ns, pair.ready_ns, pair.times],
        ...[pair.rank, pair.priority, pair.by_rank, pair.by_priority],
      ]);
  },
};

function none(utid: number, by_utid: number): Taken {
  const counted = { ready_ns: 0, times: 0, longest_ns: -1, longest_ts: 0 };
  return { utid, by_utid, ...counted, rank: NaN, priority: NaN, by_rank: NaN, by_priority: NaN };
}

/** The run of a thread that ends at `ts`; its runs do not overlap, and ascend. */
function endingAt(own: Uint32Array, te: Float64Array, ts: number): number | null {
  const run = own[countBelow(own, te, ts)];
  return run !== undefined && te[run] === ts ? run : null;
}

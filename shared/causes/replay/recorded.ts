import type { Query } from '../../engine/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../why-late/columns/index.ts';
import { readRows } from '../read-rows.ts';
import { countBelow, type Rows } from '../rows.ts';

/**
 * What threads did in a stretch of time, in bursts: from a wake to the next block. Columns: threads have numbers from 0 on; the bursts
 * of a thread stand together in the order of time, and so do the wakes that a burst does. Times in ns.
 */
export interface Recorded {
  readonly stretch: Stretch;
  /** By thread: its key. */
  readonly utids: readonly number[];
  /** By thread: where its bursts begin; one more than there are threads. */
  readonly bursts: Uint32Array;
  /** By burst: CPU time until the thread blocks. */
  readonly ran_ns: Float64Array;
  /** By burst: how long the thread was ready without running. */
  readonly ready_ns: Float64Array;
  /** By burst: the rank at which the longest of its waits was judged, which may be another one than that of the run after it. */
  readonly ranks: Float64Array;
  readonly priorities: Float64Array;
  /** By burst: so long after the last block, or of the first after the start, nobody's wake begins it; NaN where a thread's does. */
  readonly asleep_ns: Float64Array;
  /** By burst: where the wakes that it does begin; one more than there are bursts. */
  readonly wakes: Uint32Array;
  /** By wake: the thread that is woken. */
  readonly woken: Uint32Array;
  /** By wake: after how much of the burst's CPU time; ascending. */
  readonly after_ns: Float64Array;
}

const RUN_COLUMNS = ['ts', 'te', 'utid', 'cpu', 'rank', 'priority'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'rank'] as const;
const IDLE_UTID = 0;

/** What is read as something else than it was. */
export interface Altered {
  /** Threads that are not there: their wakes stand as wakes by nobody, which come as long after the block as they came. */
  readonly gone?: ReadonlySet<number>;
  /** How much of a run is not there, in ns: of the CPU time between two times on a CPU. */
  readonly lessIn?: (cpu: number, ts: number, te: number) => number;
}

/** The runs and ready waits of a stretch of time. */
export interface Readings {
  readonly stretch: Stretch;
  readonly runs: Rows<(typeof RUN_COLUMNS)[number]>;
  readonly waits: Rows<(typeof WAIT_COLUMNS)[number]>;
  readonly judged: JudgedRanks;
  /** The rows of a thread, in the order of their ends. */
  readonly runsOf: (utid: number) => Uint32Array;
  readonly waitsOf: (utid: number) => Uint32Array;
}

/** Reads what bursts are found in. */
export async function readRunsAndWaits(query: Query, stretch: Stretch): Promise<Readings> {
  const { tables } = dataOf(query);
  const runs = await readRows(tables, 'etw_run', RUN_COLUMNS, stretch);
  const waits = await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, stretch);
  const judged = await loadJudgedRanks(query);
  return { stretch, runs, waits, judged, runsOf: runs.by('utid'), waitsOf: waits.by('utid') };
}

/** Finds the bursts. */
export function burstsIn(read: Readings, altered: Altered = {}): Recorded {
  const found = findBursts(read, altered);
  return { ...found.recorded, ...findWakes(read, altered, found) };
}

/** Bursts, and which runs and waits are theirs. */
interface Found {
  readonly recorded: Omit<Recorded, 'wakes' | 'woken' | 'after_ns'>;
  /** By run: its burst, and the CPU time of that before the run. */
  readonly burstOf: Int32Array;
  readonly before_ns: Float64Array;
  /** By wait: the burst that it begins, after another one of its thread. */
  readonly begun: Int32Array;
}

const NONE = -1;

function findBursts(
  { stretch, runs, waits, judged, runsOf, waitsOf }: Readings,
  { gone, lessIn }: Altered,
): Found {
  const [runTs, runTe, cpus] = [runs.column('ts'), runs.column('te'), runs.column('cpu')];
  const [runRanks, runPriorities] = [runs.column('rank'), runs.column('priority')];
  const [waitTs, waitTe, waitRanks] = [waits.column('ts'), waits.column('te'), waits.column('rank')];
  const [causes, wake] = [waits.column('cause'), waits.numberOf('cause', 'wake')];
  const rankOf = (wait: number, utid: number) =>
    judged.of(utid, waitTs[wait] ?? NaN)?.rank ?? waitRanks[wait] ?? NaN;
  const columnOfRuns = () => new Float64Array(runs.count);
  const [ran_ns, ready_ns, asleep_ns] = [columnOfRuns(), columnOfRuns(), columnOfRuns()];
  const [ranks, priorities, before_ns] = [columnOfRuns(), columnOfRuns(), columnOfRuns()];
  const burstOf = new Int32Array(runs.count).fill(NONE);
  const begun = new Int32Array(waits.count).fill(NONE);
  const threads = new Set<number>(runs.column('utid'));
  const utids = [...threads].filter((utid) => utid !== IDLE_UTID && gone?.has(utid) !== true);
  const bursts = new Uint32Array(utids.length + 1);
  let count = 0;
  utids.forEach((utid, thread) => {
    const [own, first] = [waitsOf(utid), count];
    let [at, last_te, burstLongest_ns] = [0, stretch.start, 0];
    for (const run of runsOf(utid)) {
      const [ts, te] = [Math.max(runTs[run] ?? 0, stretch.start), Math.min(runTe[run] ?? 0, stretch.end)];
      let [waited_ns, woken, longest_ns, waitedAt] = [0, NONE, 0, NaN];
      for (; at < own.length && (waitTe[own[at] ?? 0] ?? 0) <= ts; at++) {
        const wait = own[at] ?? 0;
        const wait_ns = (waitTe[wait] ?? 0) - Math.max(waitTs[wait] ?? 0, stretch.start);
        waited_ns += wait_ns;
        if (wait_ns > longest_ns) [longest_ns, waitedAt] = [wait_ns, rankOf(wait, utid)];
        if (causes[wait] === wake) woken = wait;
      }
      if (count === first || woken >= 0) {
        const began = woken >= 0 ? Math.max(waitTs[woken] ?? ts, stretch.start) : ts - waited_ns;
        const [rank, priority] = [runRanks[run] ?? NaN, runPriorities[run] ?? NaN];
        asleep_ns[count] = Math.max(0, began - last_te);
        ranks[count] = Number.isNaN(rank) ? 0 : rank;
        priorities[count] = Number.isNaN(priority) ? 8 : priority;
        if (woken >= 0 && count > first) begun[woken] = count;
        burstLongest_ns = 0;
        count++;
      }
      const burst = count - 1;
      if (longest_ns > burstLongest_ns && !Number.isNaN(waitedAt))
        [burstLongest_ns, ranks[burst]] = [longest_ns, waitedAt];
      burstOf[run] = burst;
      before_ns[run] = ran_ns[burst] ?? 0;
      const less_ns = lessIn?.(cpus[run] ?? NaN, ts, te) ?? 0;
      ran_ns[burst] = (ran_ns[burst] ?? 0) + Math.max(0, te - ts - less_ns);
      ready_ns[burst] = (ready_ns[burst] ?? 0) + waited_ns;
      last_te = te;
    }
    bursts[thread + 1] = count;
  });
  return {
    recorded: { stretch, utids, bursts, ran_ns, ready_ns, ranks, priorities, asleep_ns },
    ...{ burstOf, before_ns, begun },
  };
}

/** Finds which bursts begin others: these have no sleep any more. */
function findWakes(
  { stretch, runs, waits, runsOf }: Readings,
  { lessIn }: Altered,
  { recorded, burstOf, before_ns, begun }: Found,
): Pick<Recorded, 'wakes' | 'woken' | 'after_ns'> {
  const [runTs, runTe, cpus] = [runs.column('ts'), runs.column('te'), runs.column('cpu')];
  const [waitTs, waitUtid, wakers] = [waits.column('ts'), waits.column('utid'), waits.column('waker_utid')];
  const threadOf = new Map(recorded.utids.map((utid, thread) => [utid, thread]));
  const count = recorded.bursts.at(-1) ?? 0;
  // By wait: the burst that wakes, and after how much of its CPU time.
  const waking = new Int32Array(waits.count).fill(NONE);
  const ran_ns = new Float64Array(waits.count);
  const wakes = new Uint32Array(count + 1);
  for (let wait = 0; wait < waits.count; wait++) {
    const burst = begun[wait] ?? NONE;
    if (burst === NONE) continue;
    const ts = waitTs[wait] ?? 0;
    const run = runAt(runsOf(wakers[wait] ?? IDLE_UTID), runTs, runTe, ts);
    const by = run === null ? NONE : (burstOf[run] ?? NONE);
    if (run === null || by === NONE || by === burst) continue;
    const run_ts = Math.max(runTs[run] ?? ts, stretch.start);
    ran_ns[wait] = (before_ns[run] ?? 0) + ts - run_ts - (lessIn?.(cpus[run] ?? NaN, run_ts, ts) ?? 0);
    waking[wait] = by;
    wakes[by + 1] = (wakes[by + 1] ?? 0) + 1;
    recorded.asleep_ns[burst] = NaN;
  }
  for (let burst = 0; burst < count; burst++)
    wakes[burst + 1] = (wakes[burst + 1] ?? 0) + (wakes[burst] ?? 0);
  const woken = new Uint32Array(wakes[count] ?? 0);
  const after_ns = new Float64Array(woken.length);
  const filled = wakes.slice();
  for (let wait = 0; wait < waits.count; wait++) {
    const by = waking[wait] ?? NONE;
    if (by === NONE) continue;
    const thread = threadOf.get(waitUtid[wait] ?? IDLE_UTID) ?? 0;
    // Into its place in the order of time: waits are in the order of their ends.
    let place = filled[by] ?? 0;
    filled[by] = place + 1;
    for (; place > (wakes[by] ?? 0) && (after_ns[place - 1] ?? 0) > (ran_ns[wait] ?? 0); place--) {
      after_ns[place] = after_ns[place - 1] ?? 0;
      woken[place] = woken[place - 1] ?? 0;
    }
    after_ns[place] = ran_ns[wait] ?? 0;
    woken[place] = thread;
  }
  return { wakes, woken, after_ns };
}

/** The run of a thread that a time lies in. */
function runAt(own: Uint32Array, starts: Float64Array, ends: Float64Array, ts: number): number | null {
  const run = own[countBelow(own, ends, ts)];
  return run !== undefined && (starts[run] ?? Infinity) <= ts ? run : null;
}

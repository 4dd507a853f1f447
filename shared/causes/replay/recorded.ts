import type { Query } from '../../engine/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import { judgedRanksOf, type JudgedRanks } from '../../why-late/columns/index.ts';
import { readRows } from '../read-rows.ts';
import { countOfKeys, type Rows } from '../rows.ts';
import { claimOf, withRank } from './claim.ts';
import { EndedWaits, NO_WAIT } from './ended-waits.ts';
import { RunFinder } from './run-finder.ts';

/**
 * What threads did in a stretch of time, in bursts: from a wake to the next block. Columns: threads have numbers from 0 on; bursts
 * are in the order in which their first runs end, and the wakes that a burst does stand together in the order of time. Times in ns.
 */
export interface Recorded {
  readonly stretch: Stretch;
  /** By thread: its key. */
  readonly utids: readonly number[];
  /** By thread: its CPU time, of all its bursts. */
  readonly all_ns: Float64Array;
  /** By thread: its first burst. */
  readonly firsts: Int32Array;
  /** By burst: the next one of its thread; `NO_BURST` after the last. */
  readonly nexts: Int32Array;
  /** By burst: CPU time until the thread blocks. */
  readonly ran_ns: Float64Array;
  /** By burst: how long the thread was ready without running. */
  readonly ready_ns: Float64Array;
  /** By burst: who goes first, lower claims do; by the rank at which the longest of its waits was judged, which may be another one than that of the run after it. */
  readonly claims: Int32Array;
  /** By thread: the time from the start to its first burst, which no thread's wake begins. */
  readonly asleepFirst_ns: Float64Array;
  /** By burst: the time from its block to the thread's next burst. NaN where a thread's wake begins that, or there is none. */
  readonly asleepAfter_ns: Float64Array;
  /** By burst: where the wakes that it does begin; one more than there are bursts. */
  readonly wakes: Uint32Array;
  /** By wake: the thread that is woken. */
  readonly woken: Uint32Array;
  /** By wake: after how much of the burst's CPU time; ascending. */
  readonly after_ns: Float64Array;
}

/** In place of a burst. */
export const NO_BURST = -1;

/** The bursts of a thread, in the order of time. */
export function* burstsOf({ firsts, nexts }: Recorded, thread: number): Generator<number> {
  for (let burst = firsts[thread] ?? NO_BURST; burst !== NO_BURST; burst = nexts[burst] ?? NO_BURST)
    yield burst;
}

const RUN_COLUMNS = ['ts', 'te', 'utid', 'cpu', 'rank', 'priority'] as const;
const WAIT_COLUMNS = ['ts', 'te', 'utid', 'cause', 'waker_utid', 'rank'] as const;
const IDLE_UTID = 0;
const NO_THREAD = -1;

/** What is read as something else than it was. */
export interface Altered {
  /** Threads that are not there. Their wakes count as wakes by no thread, and come as long after the block as they came. */
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
}

/** Reads what bursts are found in. */
export async function readRunsAndWaits(query: Query, stretch: Stretch): Promise<Readings> {
  const { tables } = dataOf(query);
  const runs = await readRows(tables, 'etw_run', RUN_COLUMNS, stretch);
  const waits = await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, stretch);
  const judged = await judgedRanksOf(query, ({ ts, te }) => ts < stretch.end && te > stretch.start);
  return { stretch, runs, waits, judged };
}

/** Finds the bursts. */
export function burstsIn(read: Readings, altered: Altered = {}): Recorded {
  const found = findBursts(read, altered);
  return { ...found.recorded, ...findWakes(read, altered, found) };
}

/** Bursts, and which runs and waits are theirs. */
interface Found {
  readonly recorded: Omit<Recorded, 'wakes' | 'woken' | 'after_ns'>;
  /** By key of a thread: its number; `NO_THREAD` where it has no burst. */
  readonly numbers: Int32Array;
  /** By run: its burst, and the CPU time of that before the run. */
  readonly burstOf: Int32Array;
  readonly before_ns: Float64Array;
  /** By wait: the burst of its thread after which it begins the next one. */
  readonly begun: Int32Array;
}

/** Reads runs in the order of their ends: what is read of each thread next lies close together then. */
function findBursts({ stretch, runs, waits, judged }: Readings, { gone, lessIn }: Altered): Found {
  const [runTs, runTe, cpus] = [runs.column('ts'), runs.column('te'), lessIn && runs.column('cpu')];
  const [runUtids, runRanks] = [runs.column('utid'), runs.column('rank')];
  const [runPriorities, waitTs] = [runs.column('priority'), waits.column('ts')];
  const [waitTe, waitRanks] = [waits.column('te'), waits.column('rank')];
  const [causes, wake] = [waits.column('cause'), waits.numberOf('cause', 'wake')];
  const columnOfRuns = () => new Float64Array(runs.count);
  const [ran_ns, ready_ns, asleepAfter_ns] = [columnOfRuns(), columnOfRuns(), columnOfRuns()];
  const before_ns = columnOfRuns();
  const claims = new Int32Array(runs.count);
  const burstOf = new Int32Array(runs.count);
  const nexts = new Int32Array(runs.count);
  const begun = new Int32Array(waits.count).fill(NO_BURST);
  const keys = countOfKeys(runUtids);
  const numbers = new Int32Array(keys).fill(NO_THREAD);
  // By key of a thread, as far as it is read.
  const burstNow = new Int32Array(keys);
  const all_ns = new Float64Array(keys);
  const blockedSince = new Float64Array(keys).fill(stretch.start);
  const longestOfBurst_ns = new Float64Array(keys);
  const [utids, firsts, asleepFirst_ns]: [number[], number[], number[]] = [[], [], []];
  const ended = new EndedWaits(waits.column('utid'), waitTe);
  let count = 0;
  for (let run = 0; run < runs.count; run++) {
    const utid = runUtids[run] ?? IDLE_UTID;
    burstOf[run] = NO_BURST;
    if (utid === IDLE_UTID || gone?.has(utid) === true) continue;
    const isNew = numbers[utid] === NO_THREAD;
    if (isNew) numbers[utid] = utids.push(utid) - 1;
    const ts = Math.max(runTs[run] ?? 0, stretch.start);
    const te = Math.min(runTe[run] ?? 0, stretch.end);
    let waited_ns = 0;
    let woken = NO_BURST;
    let longest_ns = 0;
    let waitedAt = NaN;
    ended.readUntil(ts);
    for (let wait = ended.take(utid, ts); wait !== NO_WAIT; wait = ended.take(utid, ts)) {
      const wait_ns = (waitTe[wait] ?? 0) - Math.max(waitTs[wait] ?? 0, stretch.start);
      waited_ns += wait_ns;
      if (wait_ns > longest_ns) {
        longest_ns = wait_ns;
        waitedAt = judged.of(utid, waitTs[wait] ?? NaN)?.rank ?? waitRanks[wait] ?? NaN;
      }
      if (causes[wait] === wake) woken = wait;
    }
    if (isNew || woken >= 0) {
      const began = woken >= 0 ? Math.max(waitTs[woken] ?? ts, stretch.start) : ts - waited_ns;
      const rank = runRanks[run] ?? NaN;
      const priority = runPriorities[run] ?? NaN;
      const asleep_ns = Math.max(0, began - (blockedSince[utid] ?? 0));
      claims[count] = claimOf(Number.isNaN(rank) ? 0 : rank, Number.isNaN(priority) ? 8 : priority);
      if (isNew) {
        firsts.push(count);
        asleepFirst_ns.push(asleep_ns);
      } else {
        const before = burstNow[utid] ?? 0;
        nexts[before] = count;
        asleepAfter_ns[before] = asleep_ns;
        begun[woken] = before;
      }
      nexts[count] = NO_BURST;
      asleepAfter_ns[count] = NaN;
      burstNow[utid] = count++;
      longestOfBurst_ns[utid] = 0;
    }
    const burst = burstNow[utid] ?? 0;
    if (longest_ns > (longestOfBurst_ns[utid] ?? 0) && !Number.isNaN(waitedAt)) {
      longestOfBurst_ns[utid] = longest_ns;
      claims[burst] = withRank(claims[burst] ?? 0, waitedAt);
    }
    burstOf[run] = burst;
    before_ns[run] = ran_ns[burst] ?? 0;
    const less_ns = lessIn?.(cpus?.[run] ?? NaN, ts, te) ?? 0;
    const own_ns = Math.max(0, te - ts - less_ns);
    ran_ns[burst] = (ran_ns[burst] ?? 0) + own_ns;
    all_ns[utid] = (all_ns[utid] ?? 0) + own_ns;
    ready_ns[burst] = (ready_ns[burst] ?? 0) + waited_ns;
    blockedSince[utid] = te;
  }
  return {
    recorded: {
      all_ns: Float64Array.from(utids, (utid) => all_ns[utid] ?? 0),
      ...{ stretch, utids, firsts: Int32Array.from(firsts), nexts: nexts.subarray(0, count) },
      ...{ ran_ns, ready_ns, claims: claims.subarray(0, count), asleepAfter_ns },
      asleepFirst_ns: Float64Array.from(asleepFirst_ns),
    },
    ...{ numbers, burstOf, before_ns, begun },
  };
}

/** Finds which bursts begin others: these have no sleep any more. */
function findWakes(
  { stretch, runs, waits }: Readings,
  { lessIn }: Altered,
  { recorded, numbers, burstOf, before_ns, begun }: Found,
): Pick<Recorded, 'wakes' | 'woken' | 'after_ns'> {
  const [runTs, runTe, cpus] = [runs.column('ts'), runs.column('te'), lessIn && runs.column('cpu')];
  const [waitTs, waitUtid, wakers] = [waits.column('ts'), waits.column('utid'), waits.column('waker_utid')];
  const count = recorded.nexts.length;
  // By wait: the burst that wakes, and after how much of its CPU time.
  const waking = new Int32Array(waits.count).fill(NO_BURST);
  const ran_ns = new Float64Array(waits.count);
  const wakes = new Uint32Array(count + 1);
  const finder = new RunFinder(runs.column('utid'), runTs, runTe, numbers.length);
  for (let wait = 0; wait < waits.count; wait++) {
    const before = begun[wait] ?? NO_BURST;
    if (before === NO_BURST) continue;
    const ts = waitTs[wait] ?? 0;
    const run = finder.at(wakers[wait] ?? IDLE_UTID, ts);
    const by = burstOf[run] ?? NO_BURST;
    if (by === NO_BURST || by === recorded.nexts[before]) continue;
    const run_ts = Math.max(runTs[run] ?? ts, stretch.start);
    ran_ns[wait] = (before_ns[run] ?? 0) + ts - run_ts - (lessIn?.(cpus?.[run] ?? NaN, run_ts, ts) ?? 0);
    waking[wait] = by;
    wakes[by + 1] = (wakes[by + 1] ?? 0) + 1;
    recorded.asleepAfter_ns[before] = NaN;
  }
  for (let burst = 0; burst < count; burst++)
    wakes[burst + 1] = (wakes[burst + 1] ?? 0) + (wakes[burst] ?? 0);
  const woken = new Uint32Array(wakes[count] ?? 0);
  const after_ns = new Float64Array(woken.length);
  const filled = wakes.slice();
  for (let wait = 0; wait < waits.count; wait++) {
    const by = waking[wait] ?? NO_BURST;
    if (by === NO_BURST) continue;
    const thread = numbers[waitUtid[wait] ?? IDLE_UTID] ?? 0;
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

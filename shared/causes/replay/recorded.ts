import type { Query } from '../../engine/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../why-late/columns/index.ts';
import { readInto } from '../history.ts';
import { countBelow, Rows } from '../rows.ts';

/** A wake that a burst does: whom, and after how much of its CPU time. */
interface BurstWake {
  readonly after_ns: number;
  readonly utid: number;
}

/** Most bursts wake nobody: these share this list. */
const NO_WAKES: BurstWake[] = [];

/** What a thread did from a wake to its next block. Times in ns. */
export interface Burst {
  /** CPU time until the thread blocks. */
  ran_ns: number;
  /** How long it was ready and did not run. */
  ready_ns: number;
  /** That of its longest wait, or of the first run where it did not wait. */
  rank: number;
  readonly priority: number;
  /** Whom it wakes, and after how much of its CPU time; ascending. */
  wakes: BurstWake[];
  /** What begins it: a wake by a thread, or this long after its last block (of the first burst: after the start). */
  wake: 'thread' | number;
}

/** The bursts of each thread in a stretch of time. */
export interface Recorded {
  readonly stretch: Stretch;
  readonly threads: ReadonlyMap<number, readonly Burst[]>;
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
}

/** Reads what bursts are found in. */
export async function readRunsAndWaits(query: Query, stretch: Stretch): Promise<Readings> {
  const { tables } = dataOf(query);
  const [runs, waits] = [new Rows(RUN_COLUMNS), new Rows(WAIT_COLUMNS)];
  await readInto(runs, tables, 'etw_run', RUN_COLUMNS, stretch, ({ te }, row) => te.values[row] ?? 0);
  await readInto(
    waits,
    tables,
    'etw_ready_wait',
    WAIT_COLUMNS,
    stretch,
    ({ te }, row) => te.values[row] ?? 0,
  );
  return { stretch, runs, waits, judged: await loadJudgedRanks(query) };
}

/** Finds the bursts. */
export function burstsIn(
  { stretch, runs, waits, judged }: Readings,
  { gone = new Set(), lessIn = () => 0 }: Altered = {},
): Recorded {
  const [runTs, runTe, cpus] = [runs.column('ts'), runs.column('te'), runs.column('cpu')];
  const [runRanks, priorities] = [runs.column('rank'), runs.column('priority')];
  const [waitTs, waitTe, waitUtid] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
  const [waitRanks, wakers] = [waits.column('rank'), waits.column('waker_utid')];
  const rankOf = (wait: number, utid: number) =>
    judged.of(utid, waitTs[wait] ?? NaN)?.rank ?? waitRanks[wait] ?? NaN;
  const [runsOf, waitsOf] = [runs.by('utid'), waits.by('utid')];
  // Of each run its burst, and the CPU time of that before the run; of each wait the burst that it begins.
  const burstOf = new Array<Burst | undefined>(runs.count);
  const before_ns = new Float64Array(runs.count);
  const begunBy = new Array<Burst | undefined>(waits.count);
  const threads = new Map<number, Burst[]>();
  for (const utid of new Set<number>(runs.column('utid'))) {
    if (utid === IDLE_UTID || gone.has(utid)) continue;
    const bursts: Burst[] = [];
    threads.set(utid, bursts);
    const own = waitsOf(utid);
    let [at, last_te, burstLongest_ns] = [0, stretch.start, 0];
    for (const run of runsOf(utid)) {
      const [ts, te] = [Math.max(runTs[run] ?? 0, stretch.start), Math.min(runTe[run] ?? 0, stretch.end)];
      let burst = bursts.at(-1);
      let [ready_ns, woken, longest_ns, waited_at] = [0, -1, 0, NaN];
      for (; at < own.length && (waitTe[own[at] ?? 0] ?? 0) <= ts; at++) {
        const wait = own[at] ?? 0;
        const wait_ns = (waitTe[wait] ?? 0) - Math.max(waitTs[wait] ?? 0, stretch.start);
        ready_ns += wait_ns;
        if (wait_ns > longest_ns) [longest_ns, waited_at] = [wait_ns, rankOf(wait, utid)];
        if (waits.text('cause', wait) === 'wake') woken = wait;
      }
      if (burst === undefined || woken >= 0) {
        const [rank, priority] = [runRanks[run] ?? NaN, priorities[run] ?? NaN];
        const began = woken >= 0 ? Math.max(waitTs[woken] ?? ts, stretch.start) : ts - ready_ns;
        burst = {
          ran_ns: 0,
          ready_ns: 0,
          wakes: NO_WAKES,
          wake: Math.max(0, began - last_te),
          rank: Number.isNaN(rank) ? 0 : rank,
          priority: Number.isNaN(priority) ? 8 : priority,
        };
        bursts.push(burst);
        burstLongest_ns = 0;
        if (woken >= 0 && bursts.length > 1) begunBy[woken] = burst;
      }
      if (longest_ns > burstLongest_ns && !Number.isNaN(waited_at))
        [burstLongest_ns, burst.rank] = [longest_ns, waited_at];
      burstOf[run] = burst;
      before_ns[run] = burst.ran_ns;
      const less_ns = lessIn(cpus[run] ?? NaN, ts, te);
      burst.ran_ns += Math.max(0, te - ts - less_ns);
      burst.ready_ns += ready_ns;
      last_te = te;
    }
  }
  for (let wait = 0; wait < begunBy.length; wait++) {
    const burst = begunBy[wait];
    if (burst === undefined) continue;
    const ts = waitTs[wait] ?? 0;
    const run = runAt(runsOf(wakers[wait] ?? IDLE_UTID), runTs, runTe, ts);
    const waking = run === null ? undefined : burstOf[run];
    if (run === null || waking === undefined || waking === burst) continue;
    const run_ts = Math.max(runTs[run] ?? ts, stretch.start);
    const ran_ns = ts - run_ts - lessIn(cpus[run] ?? NaN, run_ts, ts);
    const after_ns = (before_ns[run] ?? 0) + ran_ns;
    if (waking.wakes === NO_WAKES) waking.wakes = [];
    waking.wakes.push({ after_ns, utid: waitUtid[wait] ?? 0 });
    burst.wake = 'thread';
  }
  for (const bursts of threads.values())
    for (const { wakes } of bursts) if (wakes.length > 1) wakes.sort((a, b) => a.after_ns - b.after_ns);
  return { stretch, threads };
}

/** The run of a thread that a time lies in. */
function runAt(own: Uint32Array, starts: Float64Array, ends: Float64Array, ts: number): number | null {
  const run = own[countBelow(own, ends, ts)];
  return run !== undefined && (starts[run] ?? Infinity) <= ts ? run : null;
}

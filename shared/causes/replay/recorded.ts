import type { Query } from '../../engine/index.ts';
import { dataOf, type Stretch } from '../../tables/index.ts';
import { loadJudgedRanks, type JudgedRanks } from '../../why-late/columns/index.ts';
import { readInto } from '../history.ts';
import { countBelow, Rows } from '../rows.ts';

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
  readonly wakes: { readonly after_ns: number; readonly utid: number }[];
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

/** Which burst a run belongs to, and the CPU time of the burst before the run. */
interface Place {
  readonly burst: Burst;
  readonly before_ns: number;
}

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
  const rankOf = (wait: number, utid: number) =>
    judged.of(utid, waits.column('ts')[wait] ?? NaN)?.rank ?? waits.column('rank')[wait] ?? NaN;
  const [runTs, runTe] = [runs.column('ts'), runs.column('te')];
  const [waitTs, waitTe, wakers] = [waits.column('ts'), waits.column('te'), waits.column('waker_utid')];
  const [runsOf, waitsOf] = [runs.by('utid'), waits.by('utid')];
  const places: (Place | undefined)[] = [];
  const threads = new Map<number, Burst[]>();
  const wakes: { readonly wait: number; readonly burst: Burst; readonly utid: number }[] = [];
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
        const rank = runs.column('rank')[run] ?? NaN;
        const priority = runs.column('priority')[run] ?? NaN;
        const began = woken >= 0 ? Math.max(waitTs[woken] ?? ts, stretch.start) : ts - ready_ns;
        burst = {
          ...{ ran_ns: 0, ready_ns: 0, wakes: [], wake: Math.max(0, began - last_te) },
          rank: Number.isNaN(rank) ? 0 : rank,
          priority: Number.isNaN(priority) ? 8 : priority,
        };
        bursts.push(burst);
        burstLongest_ns = 0;
        if (woken >= 0 && bursts.length > 1) wakes.push({ wait: woken, burst, utid });
      }
      if (longest_ns > burstLongest_ns && !Number.isNaN(waited_at))
        [burstLongest_ns, burst.rank] = [longest_ns, waited_at];
      places[run] = { burst, before_ns: burst.ran_ns };
      const less_ns = lessIn(runs.column('cpu')[run] ?? NaN, ts, te);
      burst.ran_ns += Math.max(0, te - ts - less_ns);
      burst.ready_ns += ready_ns;
      last_te = te;
    }
  }
  for (const { wait, burst, utid } of wakes) {
    const ts = waitTs[wait] ?? 0;
    const run = runAt(runsOf(wakers[wait] ?? IDLE_UTID), runTs, runTe, ts);
    const place = run === null ? undefined : places[run];
    if (run === null || place === undefined || place.burst === burst) continue;
    const run_ts = Math.max(runTs[run] ?? ts, stretch.start);
    const ran_ns = ts - run_ts - lessIn(runs.column('cpu')[run] ?? NaN, run_ts, ts);
    place.burst.wakes.push({ after_ns: place.before_ns + ran_ns, utid });
    burst.wake = 'thread';
  }
  for (const bursts of threads.values())
    for (const { wakes: own } of bursts) own.sort((a, b) => a.after_ns - b.after_ns);
  return { stretch, threads };
}

/** The run of a thread that a time lies in. */
function runAt(own: Uint32Array, starts: Float64Array, ends: Float64Array, ts: number): number | null {
  const run = own[countBelow(own, ends, ts)];
  return run !== undefined && (starts[run] ?? Infinity) <= ts ? run : null;
}

import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, inOneOrder, numberAt, textAt, type Batch } from '../tables/index.ts';
import { loadLosses, loadMachine, LongestWaits, waitAt, type Wait } from '../why-late/columns/index.ts';
import { joinGaps, withGaps } from './gaps.ts';
import { GrowingLanes } from './growing-lanes.ts';
import { Lane, NOTHING } from './lane.ts';
import { valueOf } from './thread-state.ts';

/** What each CPU ran, and what each thread did. */
export interface Lanes {
  readonly start_ts: number;
  readonly end_ts: number;
  /** Of each CPU which thread it ran, as {@link utidOf} reads it; nothing where its events are missing. */
  readonly cpus: readonly Lane[];
  /** The threads that ran or were ready, by utid; values as in `thread-state.ts`. */
  readonly threads: ReadonlyMap<number, ThreadLane>;
  /** The wait reasons that blocked threads have as `detail`; the first one stands for none recorded. */
  readonly reasons: readonly (string | null)[];
  /** The longest ready waits, longest first. */
  readonly longest: readonly Wait[];
}

/** What one thread did. */
export interface ThreadLane {
  lane: Lane;
  /** How often it was switched in, and how often it became ready by a wake. */
  runs: number;
  wakes: number;
}

/** The thread that a value of a CPU's lane names; null for none. The idle thread is 0. */
export function utidOf(value: number): number | null {
  return value === NOTHING ? null : value - 1;
}

const RUN_COLUMNS = ['cpu', 'utid', 'ended', 'switch_out_state', 'switch_out_wait_reason'] as const;
const WAIT_COLUMNS = [
  'utid',
  'cause',
  'rank',
  'priority',
  'cpu',
  'flags',
  'last_ready_ts',
  'last_switch_out_ts',
] as const;
type Runs = Batch<(typeof RUN_COLUMNS)[number] | 'ts' | 'te'>;
type Waits = Batch<(typeof WAIT_COLUMNS)[number] | 'ts' | 'te'>;

const READY = valueOf('ready');
const BLOCKED = valueOf('blocked');
const LOST = valueOf('lost');

/** So many of the longest ready waits are kept. */
const LONGEST = 2000;

/** States after a run in which a thread could go on. */
const READY_STATES: ReadonlySet<string | null> = new Set(['Ready', 'Standby', 'DeferredReady', 'Running']);

/** The lanes of a trace; made once. */
export const loadLanes = oncePerTrace(async (query: Query): Promise<Lanes> => {
  const { tables } = dataOf(query);
  const { start_ts, end_ts, cpu_count } = await loadMachine(tables);
  const cpus = Array.from({ length: cpu_count }, () => new Lane(true));
  const running = cpus.map((_, cpu) => valueOf('running', cpu));
  const lives = await loadLives(query);
  const lanes = new GrowingLanes();
  const [runs, wakes]: [number[], number[]] = [[], []];
  const begin = (utid: number): void => {
    if (lanes.lengthOf(utid) > 0) return;
    lanes.append(utid, Math.max(start_ts, lives.get(utid)?.create_ts ?? start_ts), BLOCKED);
    runs[utid] = 0;
    wakes[utid] = 0;
  };
  const gaps = joinGaps(await loadLosses(tables));
  const lastReadied = new Map<number, Map<number, number>>();
  const longest = new LongestWaits<Wait>(LONGEST, 1);
  const reasons: (string | null)[] = [null];
  const numbers = new Map<string | null, number>([[null, 0]]);
  const numberOf = (reason: string | null): number => {
    const known = numbers.get(reason);
    if (known !== undefined) return known;
    numbers.set(reason, reasons.length);
    return reasons.push(reason) - 1;
  };

  const onRun = ({ columns }: Runs, row: number) => {
    const ts = columns.ts.values[row] ?? 0;
    const te = columns.te.values[row] ?? 0;
    const cpu = columns.cpu.values[row] ?? 0;
    const utid = columns.utid.values[row] ?? 0;
    const ofCpu = cpus[cpu];
    if (ofCpu !== undefined && te > ts) {
      ofCpu.append(ts, utid + 1);
      ofCpu.append(te, NOTHING);
    }
    if (utid === 0) return;
    begin(utid);
    runs[utid] = (runs[utid] ?? 0) + 1;
    lanes.append(utid, ts, running[cpu] ?? valueOf('running', cpu));
    lanes.append(utid, te, afterRun(columns, row, te >= end_ts, numberOf));
  };
  const onWait = (batch: Waits, row: number) => {
    const { columns } = batch;
    const utid = columns.utid.values[row] ?? 0;
    begin(utid);
    const ts = columns.ts.values[row] ?? 0;
    const isWake = textAt(columns.cause, row) === 'wake';
    if (isWake) wakes[utid] = (wakes[utid] ?? 0) + 1;
    if (lanes.lengthOf(utid) === 1)
      endUnknownRun(lanes, utid, isWake ? numberAt(columns.last_switch_out_ts, row) : ts);
    lanes.append(utid, ts, READY);
    const last_ts = gaps.length === 0 ? null : numberAt(columns.last_ready_ts, row);
    if (last_ts !== null && last_ts > ts) {
      const of = lastReadied.get(utid) ?? new Map<number, number>();
      lastReadied.set(utid, of.set(ts, last_ts));
    }
    if ((columns.te.values[row] ?? 0) - ts >= longest.least_ns) longest.add(waitAt(batch, row));
  };
  await inOneOrder(
    tables,
    { table: 'etw_ready_wait', columns: WAIT_COLUMNS, onRow: onWait },
    { table: 'etw_run', columns: RUN_COLUMNS, onRow: onRun },
  );
  const isTold = longest.all().length > 0;
  const threads = new Map<number, ThreadLane>();
  runs.forEach((_, utid) => {
    const exit_ts = lives.get(utid)?.exit_ts ?? end_ts;
    lanes.append(utid, Math.max(Math.min(exit_ts, end_ts), lanes.lastOf(utid)), NOTHING);
  });
  const finished = lanes.finish();
  runs.forEach((ofThread, utid) => {
    let lane = finished[utid] ?? new Lane();
    if (gaps.length > 0)
      lane = withGaps(lane, gaps, { isTold, last: lastReadied.get(utid) ?? new Map<number, number>() });
    threads.set(utid, { lane, runs: ofThread, wakes: wakes[utid] ?? 0 });
  });
  for (const lane of cpus) lane.trim();
  return { start_ts, end_ts, cpus, threads, reasons, longest: longest.all() };
});

/** A thread that left a CPU, but was not seen to come to it, had run since some time before: since when is not known. */
function endUnknownRun(lanes: GrowingLanes, utid: number, switch_out_ts: number | null): void {
  if (switch_out_ts === null || switch_out_ts <= lanes.lastOf(utid)) return;
  lanes.replaceLast(utid, LOST);
  lanes.append(utid, switch_out_ts, BLOCKED);
}

/** What a thread does after a run. */
function afterRun(
  { ended, switch_out_state, switch_out_wait_reason }: Runs['columns'],
  row: number,
  isLast: boolean,
  numberOf: (reason: string | null) => number,
): number {
  if (ended.values[row] === 0) return isLast ? NOTHING : LOST;
  const state = textAt(switch_out_state, row);
  if (state === 'Terminated') return NOTHING;
  if (READY_STATES.has(state)) return READY;
  return valueOf('blocked', numberOf(textAt(switch_out_wait_reason, row)));
}

interface Life {
  readonly create_ts: number | null;
  readonly exit_ts: number | null;
}

/** When threads were made and ended. */
async function loadLives(query: Query): Promise<ReadonlyMap<number, Life>> {
  const lives = new Map<number, Life>();
  const names = ['utid', 'create_ts', 'exit_ts'] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_thread', names)) {
    for (let row = 0; row < rowCount; row++) {
      const life = { create_ts: numberAt(columns.create_ts, row), exit_ts: numberAt(columns.exit_ts, row) };
      if (life.create_ts !== null || life.exit_ts !== null) lives.set(columns.utid.values[row] ?? 0, life);
    }
  }
  return lives;
}

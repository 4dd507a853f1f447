import { filled, type ReadHow, type Stretch, type Tables } from '../tables/index.ts';
import type { JudgedRanks, Wait } from '../why-late/columns/index.ts';
import { leastFromHere, readRows } from './read-rows.ts';
import { ColumnMemory, countBelow, type RowNumbers, type Rows } from './rows.ts';
import type { Span } from './stretches.ts';

const RUN_COLUMNS = [
  'ts',
  'te',
  'cpu',
  'utid',
  'rank',
  'priority',
  'ended',
  'switch_out_state',
  'switch_out_wait_reason',
] as const;

const WAIT_COLUMNS = [
  'ts',
  'te',
  'utid',
  'ended',
  'cause',
  'waker_utid',
  'priority',
  'rank',
  'rank_before',
  'rank_after',
  'cpu',
  'flags',
  'last_switch_out_ts',
  'last_ready_ts',
] as const;

const INTERRUPT_COLUMNS = ['ts', 'te', 'cpu', 'kind', 'module'] as const;

export type RunRows = Rows<(typeof RUN_COLUMNS)[number]>;
export type WaitRows = Rows<(typeof WAIT_COLUMNS)[number]>;
export type InterruptRows = Rows<(typeof INTERRUPT_COLUMNS)[number]>;

/** What threads and CPUs did in a stretch of time, by thread and by CPU, each in the order of time. */
export interface History {
  readonly stretch: Stretch;
  readonly runs: RunRows;
  readonly waits: WaitRows;
  readonly interrupts: InterruptRows;
  runsOf(utid: number): Uint32Array;
  waitsOf(utid: number): Uint32Array;
  runsOn(cpu: number): Uint32Array;
  /** When each interrupt ended. */
  readonly interruptTe: RowNumbers;
  readonly interruptsIn: Interrupts['interruptsIn'];
}

/** What interrupted CPUs. */
export interface Interrupts {
  readonly interrupts: InterruptRows;
  /** The interrupts of a CPU that a stretch of time touches, by their ends. */
  readonly interruptsIn: (cpu: number, stretch: Span) => Uint32Array;
}

/** Memory of histories: see {@link ColumnMemory}. */
export class HistoryMemory {
  readonly runs = new ColumnMemory();
  readonly waits = new ColumnMemory();
}

/** Reads what lies in a stretch of time, if only in part. */
export async function loadHistory(
  tables: Tables,
  stretch: Stretch,
  how?: ReadHow,
  memory?: HistoryMemory,
): Promise<History> {
  const runs = await readRows(tables, 'etw_run', RUN_COLUMNS, stretch, how, memory?.runs);
  const waits = await readRows(tables, 'etw_ready_wait', WAIT_COLUMNS, stretch, how, memory?.waits);
  return {
    stretch,
    runs,
    waits,
    ...(await loadInterrupts(tables, stretch)),
    runsOf: runs.by('utid'),
    waitsOf: waits.by('utid'),
    runsOn: runs.by('cpu'),
  };
}

/** Reads the interrupts that lie in a stretch of time, if only in part. */
export async function loadInterrupts(
  tables: Tables,
  stretch: Stretch,
): Promise<Interrupts & Pick<History, 'interruptTe'>> {
  const interrupts = await readRows(tables, 'etw_interrupt', INTERRUPT_COLUMNS, stretch);
  const interruptTe = interrupts.column('te');
  return { interrupts, interruptTe, interruptsIn: interruptsByCpu(interrupts, interruptTe) };
}

/** An interrupt holds those that interrupted it, which end before it: so the starts do not ascend with the ends. */
function interruptsByCpu(interrupts: InterruptRows, ends: RowNumbers): History['interruptsIn'] {
  const [starts, on] = [interrupts.column('ts'), interrupts.by('cpu')];
  const leastOf = new Map<number, Float64Array>();
  return (cpu, { ts, te }) => {
    const own = on(cpu);
    const least =
      leastOf.get(cpu) ??
      leastFromHere(filled(new Float64Array(own.length), (at) => starts[own[at] ?? 0] ?? Infinity));
    leastOf.set(cpu, least);
    const first = countBelow(own, ends, ts + 1);
    let last = first;
    while (last < own.length && (least[last] ?? Infinity) < te) last++;
    return own.subarray(first, last).filter((row) => (starts[row] ?? 0) < te);
  };
}

/** A wait of the history, with the rank that it is taken to have waited at. */
export function waitAt({ waits }: History, row: number, judged: JudgedRanks): Wait {
  const [utid, ts] = [waits.number('utid', row) ?? 0, waits.number('ts', row) ?? 0];
  return {
    ts,
    te: waits.number('te', row) ?? 0,
    utid,
    rank: judged.of(utid, ts)?.rank ?? waits.number('rank', row),
    priority: waits.number('priority', row),
    cpu: waits.number('cpu', row),
    flags: waits.number('flags', row),
    last_ready_ts: waits.number('last_ready_ts', row),
  };
}

import type { Query } from '../engine/index.ts';
import { loadHeld } from '../recording/index.ts';
import { dataOf, numberAt, textAt, type Stretch, type TableName, type Tables } from '../tables/index.ts';
import type { Interrupts } from './history.ts';
import type { Owner } from './owner.ts';
import type { Span } from './stretches.ts';

/** What ended a block behind which no thread stands. */
export interface WakeSource {
  readonly owner: Owner & ('disk' | 'hard_fault' | 'file' | 'timer' | 'device');
  /** The file, the driver, or at least why the thread had blocked; null where none is known. */
  readonly detail: string | null;
}

/** A block that no thread ended. */
export interface EndedBlock {
  readonly utid: number;
  /** Since when the thread was blocked; before the history where that is not known. */
  readonly block_ts: number;
  readonly wake_ts: number;
  readonly wait_reason: string | null;
}

type IoKind = 'disk' | 'hard_fault' | 'file';

const IO_TABLES = [
  ['disk', 'etw_disk_io'],
  ['hard_fault', 'etw_hard_fault'],
  ['file', 'etw_file_io'],
] as const satisfies readonly (readonly [IoKind, TableName])[];

interface Io extends Span {
  readonly kind: IoKind;
  readonly path: string | null;
}

/** Transfers and operations by thread, those of each kind in the order of their ends. */
export type Ios = ReadonlyMap<number, readonly Io[]>;

/** A wake comes so soon after the end of what the thread waited for, in ns: `views/io` takes the same. */
const NEAR_NS = 100_000;
/** Why a thread is blocked that sleeps for a time that it chose itself. */
const OWN_TIMER = new Set(['DelayExecution', 'WrDelayExecution']);

/** Asks for the I/O of threads that lies in a stretch of time, where any was recorded. */
export async function loadIos(query: Query, { start, end }: Stretch): Promise<Ios> {
  const ios = new Map<number, Io[]>();
  const held = await loadHeld(query, ['disk_io', 'hard_faults', 'file_io']);
  if (held.size === 0) return ios;
  const { tables } = dataOf(query);
  for (const [kind, table] of IO_TABLES) await addIos(tables, table, kind, { start, end }, ios);
  return ios;
}

async function addIos(
  tables: Tables,
  table: (typeof IO_TABLES)[number][1],
  kind: IoKind,
  range: Stretch,
  ios: Map<number, Io[]>,
): Promise<void> {
  const names = ['ts', 'dur', 'utid', 'path'] as const;
  for await (const { rowCount, columns } of tables.batches(table, names, range))
    for (let row = 0; row < rowCount; row++) {
      const ts = columns.ts.values[row] ?? 0;
      const dur = numberAt(columns.dur, row);
      const utid = numberAt(columns.utid, row);
      // Whose end is not recorded may have ended at any time.
      if (dur === null || utid === null || ts >= range.end || ts + dur <= range.start) continue;
      const own = ios.get(utid) ?? [];
      ios.set(utid, own);
      own.push({ kind, ts, te: ts + dur, path: textAt(columns.path, row) });
    }
}

/** What ended a block: I/O of the thread that had begun before and was done then, a timer, or one of the interrupts. */
export function wakeSource(
  interrupts: Interrupts,
  cpuCount: number,
  ios: Ios,
  block: EndedBlock,
): WakeSource {
  if (OWN_TIMER.has(block.wait_reason ?? '')) return { owner: 'timer', detail: null };
  const io = ioBehind(ios.get(block.utid) ?? [], block);
  if (io !== undefined) return { owner: io.kind, detail: io.path };
  const driver = driverBehind(interrupts, cpuCount, block.wake_ts);
  if (driver === TIMER) return { owner: 'timer', detail: null };
  if (driver !== null) return { owner: 'device', detail: driver };
  return { owner: 'device', detail: block.wait_reason === null ? null : `wait reason ${block.wait_reason}` };
}

/** In place of a driver: the DPC of a timer. */
export const TIMER = Symbol('timer');

/** The driver whose DPC or interrupt was at work at a wake; null where none is known, or several were. */
export function driverBehind(
  { interrupts, interruptsIn }: Interrupts,
  cpuCount: number,
  wake_ts: number,
): string | typeof TIMER | null {
  const drivers = new Set<string>();
  for (let cpu = 0; cpu < cpuCount; cpu++) {
    for (const row of interruptsIn(cpu, { ts: wake_ts - 1, te: wake_ts + 1 })) {
      if (interrupts.text('kind', row) === 'timer_dpc') return TIMER;
      drivers.add(interrupts.text('module', row) ?? '');
    }
  }
  // Which CPU woke the thread is not kept: of several drivers none is named.
  const [driver = '', ...others] = drivers;
  return others.length === 0 && driver !== '' ? driver : null;
}

/** The I/O that a block was for. A disk's counts before the file operation that it is a part of. */
function ioBehind(ios: readonly Io[], { block_ts, wake_ts }: EndedBlock): Io | undefined {
  const begun = ios.filter(({ ts, te }) => ts <= block_ts && te >= Math.max(block_ts, wake_ts - NEAR_NS));
  const near = ({ te }: Io) => te <= wake_ts + NEAR_NS;
  return (
    begun.find((io) => io.kind === 'disk' && near(io)) ??
    begun.find(({ kind }) => kind === 'hard_fault') ??
    begun.find(({ kind }) => kind === 'file')
  );
}

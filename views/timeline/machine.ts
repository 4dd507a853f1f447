import type { Query } from '../../shared/engine/index.ts';
import { dataOf, readFreezes, textAt, type TableName, type Tables } from '../../shared/tables/index.ts';
import { loadFocus, loadInputs, loadProcesses, programLabel } from '../../shared/threads/index.ts';
import { appendSpans, depthOf, Lane, type Classes, type Span } from '../../shared/timeline/index.ts';
import type { ClassOrder, TrackClass } from './classes.ts';

/** What happened on the machine, as colours. */
export const MACHINE_CLASSES: readonly TrackClass[] = [
  { state: 'nothing', label: 'nothing' },
  ...[0, 1, 2, 3].map((series) => ({ state: 'machine' as const, label: 'in focus', series })),
  { state: 'machine', label: 'key, button or wheel', series: 3 },
  { state: 'machine', label: 'process frozen', series: 1 },
  { state: 'machine', label: 'machine asleep', series: 0 },
  { state: 'machine', label: 'one disk operation', series: 5 },
  { state: 'machine', label: 'several disk operations', series: 1 },
  { state: 'machine', label: 'ISR', series: 0 },
  { state: 'machine', label: 'DPC', series: 3 },
];
const [FOCUS, INPUT, FROZEN, ASLEEP, DISK, DISK_DEEP, ISR, DPC] = [1, 5, 6, 7, 8, 9, 10, 11];
const FOCUS_HUES = 4;
/** A value is its class, and from this bit on what it is called. */
const CLASS_BITS = 4;
const CLASS_MASK = (1 << CLASS_BITS) - 1;
const MOST_NAMES = 1 << (16 - CLASS_BITS);

/** The order of classes: one of them holds at any time. */
export const MACHINE_ORDER: ClassOrder = {
  order: MACHINE_CLASSES.map((_, of) => of).slice(1),
  kept: new Set(MACHINE_CLASSES.map((_, of) => of).slice(1)),
};

/** The class of an instant: it fills its pixel, since it has no length to be drawn. */
export const INSTANT_CLASS = INPUT;

/** The classes of the values of machine lanes. */
export const MACHINE_VALUES: Classes = {
  ofValue: Uint8Array.from({ length: 1 << 16 }, (_, value) => value & CLASS_MASK),
  count: MACHINE_CLASSES.length,
};

const [DISK_LABEL, INTERRUPT_LABEL] = ['Disk', 'DPCs and ISRs'];

/** The classes of some tracks of the machine, by their labels, that have more than one and no words. */
export function machineClasses(labels: readonly string[]): readonly TrackClass[] {
  const ofDisk = labels.includes(DISK_LABEL) ? [DISK, DISK_DEEP] : [];
  const ofInterrupts = labels.includes(INTERRUPT_LABEL) ? [ISR, DPC] : [];
  return [...ofDisk, ...ofInterrupts].flatMap((of) => MACHINE_CLASSES[of] ?? []);
}

/** One track of the machine. */
export interface MachineTrack {
  readonly label: string;
  /** One for each CPU, or a single one. */
  readonly lanes: readonly Lane[];
}

/** The tracks of the machine that something happened on, and what their values are called. */
export interface Machine {
  readonly tracks: readonly MachineTrack[];
  readonly names: readonly string[];
}

/** What a value of a machine lane is called. */
export function machineName({ names }: Machine, value: number): string {
  return names[value >> CLASS_BITS] ?? '';
}

/** Asks what happened besides scheduling. */
export async function loadMachineTracks(query: Query, cpu_count: number): Promise<Machine> {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    // More names than there is room for share the last one.
    const number = Math.min(names.length, MOST_NAMES - 1);
    if (number === names.length) names.push(name);
    numbers.set(name, number);
    return number;
  };
  const { tables } = dataOf(query);
  const spansOf = (named: readonly NamedSpan[], classOf: (number: number) => number): Span[] =>
    named.map(({ ts, te, name }) => {
      const number = numberOf(name);
      return { ts, te, value: (number << CLASS_BITS) | classOf(number) };
    });
  const track = (label: string, spans: readonly Span[]): MachineTrack => {
    const lane = new Lane();
    appendSpans(lane, spans);
    lane.trim();
    return { label, lanes: [lane] };
  };
  const operations = spansOf(await lasting(tables, 'etw_disk_io', ''), () => DISK);
  const depths = depthOf(operations).map(({ ts, te, value: depth }) => {
    const name = depth === 1 ? '1 operation' : `${depth} operations`;
    return { ts, te, value: (numberOf(name) << CLASS_BITS) | (depth === 1 ? DISK : DISK_DEEP) };
  });
  const focus = (await loadFocus(tables)).map(({ ts, te, process, services, pid }) => ({
    ...{ ts, te },
    name: programLabel({ process: process ?? `pid ${pid}`, service: services }),
  }));
  // A tick of the mouse's way is no deed of its own.
  const inputs = await loadInputs(tables, { start: 0, end: Infinity }, false);
  const pressed = inputs.map(({ ts, kind, key_name }) => ({ ts, te: ts + 1, name: key_name ?? kind }));
  const tracks = [
    track(
      'Focus',
      spansOf(focus, (number) => FOCUS + (number % FOCUS_HUES)),
    ),
    track(
      'Keys and mouse',
      spansOf(pressed, () => INPUT),
    ),
    track(
      'Frozen processes',
      spansOf(await frozen(tables), () => FROZEN),
    ),
    track(
      'Machine asleep',
      spansOf(await lasting(tables, 'etw_suspend', 'asleep'), () => ASLEEP),
    ),
    track(DISK_LABEL, depths),
    {
      label: INTERRUPT_LABEL,
      lanes: await interruptLanes(query, cpu_count, [
        (numberOf('ISR') << CLASS_BITS) | ISR,
        (numberOf('DPC') << CLASS_BITS) | DPC,
      ]),
    },
  ];
  return { tracks: tracks.filter(({ lanes }) => lanes.some(({ length }) => length > 0)), names };
}

interface NamedSpan {
  readonly ts: number;
  readonly te: number;
  readonly name: string;
}

/** The rows of a table that last, in the order of time, all called by one name. */
async function lasting(tables: Tables, table: TableName, name: string): Promise<NamedSpan[]> {
  const spans: NamedSpan[] = [];
  for await (const { rowCount, columns } of tables.batches(table, ['ts', 'te']))
    for (let row = 0; row < rowCount; row++) {
      const [ts = 0, te = 0] = [columns.ts.values[row], columns.te.values[row]];
      if (te > ts) spans.push({ ts, te, name });
    }
  return spans.sort((a, b) => a.ts - b.ts);
}

/** When processes were frozen, by their names. */
async function frozen(tables: Tables): Promise<NamedSpan[]> {
  const processes = await loadProcesses(tables);
  return (await readFreezes(tables)).map(({ ts, te, upid, pid }) => {
    const { process = null, services } = processes.get(upid ?? -1) ?? {};
    return { ts, te, name: programLabel({ process: process ?? `pid ${pid}`, service: services }) };
  });
}

/** So many interrupts of a CPU are put in order at once: one that lasts longer than these is cut where they end. */
const PENDING = 8192;

async function interruptLanes(
  query: Query,
  cpu_count: number,
  [isr, dpc]: readonly [number, number],
): Promise<Lane[]> {
  const lanes = Array.from({ length: cpu_count }, () => new Lane());
  const pending = lanes.map((): Span[] => []);
  const names = ['ts', 'dur', 'cpu', 'kind'] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches(
    'etw_interrupt',
    names,
    undefined,
    'once',
  )) {
    for (let row = 0; row < rowCount; row++) {
      const kind = textAt(columns.kind, row);
      const cpu = columns.cpu.values[row] ?? 0;
      const [spans, lane] = [pending[cpu], lanes[cpu]];
      // A threaded DPC is a thread's work.
      if (kind === 'threaded_dpc' || spans === undefined || lane === undefined) continue;
      const ts = columns.ts.values[row] ?? 0;
      spans.push({ ts, te: ts + (columns.dur.values[row] ?? 0), value: kind === 'isr' ? isr : dpc });
      if (spans.length === PENDING) appendSpans(lane, spans.splice(0, PENDING / 2));
    }
  }
  lanes.forEach((lane, cpu) => {
    appendSpans(lane, pending[cpu] ?? []);
    lane.trim();
  });
  return lanes;
}

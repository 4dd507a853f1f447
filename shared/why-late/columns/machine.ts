import { oncePerTrace } from '../../engine/index.ts';
import { numberAt, readFreezes, readTraceFacts, textAt, type Tables } from '../../tables/index.ts';
import type { Held } from '../why.ts';
import { wasSwappedOut, type Wait } from './wait.ts';

/** A stretch of trace time in ns; `te` is outside. */
interface Span {
  readonly ts: number;
  readonly te: number;
}

/** When a thread could not run, whatever the CPUs did. */
export interface Hold extends Span {
  readonly why: Held;
}

/** When a thread could run on some CPUs only. */
export interface Bound extends Span {
  readonly cpus: ReadonlySet<number>;
}

/** The CPUs of a trace, its clock, and what keeps threads from CPUs whatever runs there. */
export interface Machine {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  /** Of each CPU, since when it is not known for the first time what it ran after a switch; infinite where that is always known. */
  readonly unknown_ts: Float64Array;
  /** A tick of the clock. */
  readonly tick_ns: number;
  /** Whether a thread may have been frozen, or bound to some CPUs, or the machine slept meanwhile. */
  isKeptBack(utid: number, ts: number, te: number): boolean;
  /** When a thread was frozen, or the machine slept, in a stretch. These may reach over its ends. */
  stoodStill(utid: number, ts: number, te: number): Hold[];
  /** When the thread of a wait could not run at all. They may reach over the wait's ends. */
  holdsOf(wait: Wait): Hold[];
  /** When it could run on some CPUs only. They may reach over the wait's ends. */
  boundsOf(wait: Wait): Bound[];
}

/** What the order of the scheduler does not say about a trace. */
export const loadMachine = oncePerTrace(async (tables: Tables): Promise<Machine> => {
  const facts = await readTraceFacts(tables);
  const unknown_ts = await unknownSince(tables);
  const asleep = await readSuspends(tables);
  const frozen = await readFrozen(tables);
  return new TraceMachine({
    start_ts: facts?.start_ts ?? 0,
    end_ts: facts?.end_ts ?? 0,
    cpu_count: unknown_ts.length,
    unknown_ts,
    tick_ns: facts?.tick_ns ?? 0,
    asleep,
    frozen,
    bounds: await readBounds(tables),
  });
});

interface MachineParts extends Omit<Machine, 'isKeptBack' | 'stoodStill' | 'holdsOf' | 'boundsOf'> {
  readonly asleep: readonly Hold[];
  /** By thread. */
  readonly frozen: ReadonlyMap<number, Hold[]>;
  readonly bounds: ReadonlyMap<number, Bound[]>;
}

/** A class, so that code which asks it was compiled once for the machines of all traces. */
class TraceMachine implements Machine {
  readonly start_ts: number;
  readonly end_ts: number;
  readonly cpu_count: number;
  readonly unknown_ts: Float64Array;
  readonly tick_ns: number;
  readonly #parts: MachineParts;

  constructor(parts: MachineParts) {
    this.start_ts = parts.start_ts;
    this.end_ts = parts.end_ts;
    this.cpu_count = parts.cpu_count;
    this.unknown_ts = parts.unknown_ts;
    this.tick_ns = parts.tick_ns;
    this.#parts = parts;
  }

  isKeptBack(utid: number, ts: number, te: number): boolean {
    const { asleep, frozen, bounds } = this.#parts;
    return frozen.has(utid) || bounds.has(utid) || asleep.some((hold) => hold.ts < te && hold.te > ts);
  }

  stoodStill(utid: number, ts: number, te: number): Hold[] {
    const { asleep, frozen } = this.#parts;
    const span = { ts, te };
    return [...within(span, asleep), ...within(span, frozen.get(utid) ?? [])];
  }

  holdsOf(wait: Wait): Hold[] {
    return [...this.stoodStill(wait.utid, wait.ts, wait.te), ...swappedOut(wait)];
  }

  boundsOf(wait: Wait): Bound[] {
    return within(wait, this.#parts.bounds.get(wait.utid) ?? []).filter((bound) => isTrue(bound, wait));
  }
}

/** Since when it is not known for the first time what each CPU ran. */
async function unknownSince(tables: Tables): Promise<Float64Array> {
  const since: number[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_cpu', ['cpu', 'unknown_ts']))
    for (let row = 0; row < rowCount; row++)
      since[columns.cpu.values[row] ?? 0] = numberAt(columns.unknown_ts, row) ?? Infinity;
  return Float64Array.from(since);
}

async function readSuspends(tables: Tables): Promise<Hold[]> {
  const found: Hold[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_suspend', ['ts', 'te']))
    for (let row = 0; row < rowCount; row++)
      found.push({ why: 'asleep', ts: columns.ts.values[row] ?? 0, te: columns.te.values[row] ?? 0 });
  return found;
}

/** When threads were frozen, with all of their process. */
async function readFrozen(tables: Tables): Promise<ReadonlyMap<number, Hold[]>> {
  const ofProcess = new Map<number, Hold[]>();
  for (const { ts, te, upid } of await readFreezes(tables))
    if (upid !== null) listOf(ofProcess, upid).push({ why: 'frozen', ts, te });
  const ofThread = new Map<number, Hold[]>();
  if (ofProcess.size === 0) return ofThread;
  for await (const { rowCount, columns } of tables.batches('etw_thread', ['utid', 'upid']))
    for (let row = 0; row < rowCount; row++) {
      const holds = ofProcess.get(numberAt(columns.upid, row) ?? -1);
      if (holds !== undefined) ofThread.set(columns.utid.values[row] ?? 0, holds);
    }
  return ofThread;
}

/** When threads could run on some CPUs only. */
async function readBounds(tables: Tables): Promise<ReadonlyMap<number, Bound[]>> {
  const bounds = new Map<number, Bound[]>();
  const sets = new Map<string, ReadonlySet<number>>();
  const names = ['ts', 'te', 'utid', 'cpus'] as const;
  for await (const { rowCount, columns } of tables.batches('etw_thread_affinity', names))
    for (let row = 0; row < rowCount; row++) {
      const utid = numberAt(columns.utid, row);
      const text = textAt(columns.cpus, row);
      if (utid === null || text === null) continue;
      const cpus = sets.get(text) ?? new Set(JSON.parse(text) as number[]);
      sets.set(text, cpus);
      listOf(bounds, utid).push({ ts: columns.ts.values[row] ?? 0, te: columns.te.values[row] ?? 0, cpus });
    }
  return bounds;
}

function listOf<T>(lists: Map<number, T[]>, key: number): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function within<S extends Span>({ ts, te }: Span, spans: readonly S[]): S[] {
  return spans.filter((span) => span.ts < te && span.te > ts);
}

/** Until the last of several ready events; of one alone nothing tells until when. */
function swappedOut(wait: Wait): Hold[] {
  const { ts, last_ready_ts } = wait;
  if (last_ready_ts === null || !wasSwappedOut(wait)) return [];
  return [{ why: 'swapped_out', ts, te: last_ready_ts }];
}

/** Not where another CPU then took the thread. */
function isTrue({ te, cpus }: Bound, wait: Wait): boolean {
  return wait.cpu === null || te <= wait.te || cpus.has(wait.cpu);
}

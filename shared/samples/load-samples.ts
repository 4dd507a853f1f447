import { bisectLeft } from 'd3';
import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, numberAt, type Values } from '../tables/index.ts';

/** What a CPU was at when it was sampled. */
export const MODES = ['user', 'kernel', 'dpc', 'isr'] as const;
export type Mode = (typeof MODES)[number];

/** What a sample stands for where the recording does not tell: Windows' default interval. */
export const DEFAULT_INTERVAL_NS = 1_000_000;

/** What a sample says besides its time and its calls. Many samples say the same. */
export interface SampleKind {
  readonly utid: number;
  /** The thread's rank; null where it was not recorded. */
  readonly rank: number | null;
  /** The thread's priority; null where it was not recorded. */
  readonly priority: number | null;
  /** What the CPU was at. Code of a DPC or an ISR is kernel code too, and counts as neither. */
  readonly mode: Mode;
  /** CPU time that the sample stands for, in ns; 0 where no interval was recorded. */
  readonly weight_ns: number;
}

/** Samples as columns, in the order of time; those of the idle thread are left out. */
export interface Samples {
  readonly count: number;
  readonly ts: Float64Array;
  /** The innermost call of the stack. */
  readonly callsite: Int32Array;
  /** An index of `kinds`. */
  readonly kind: Int32Array;
  readonly kinds: readonly SampleKind[];
}

const COLUMNS = [
  'ts',
  'utid',
  'priority',
  'rank',
  'in_dpc',
  'in_isr',
  'is_kernel',
  'callsite',
  'weight_ns',
] as const;
const IDLE_UTID = 0;

interface Kept {
  readonly all: Samples;
  /** What was asked for last. */
  last: Samples | null;
}

const keptOf = oncePerTrace(async (query): Promise<Kept> => ({
  all: await readSamples(query),
  last: null,
}));

/** The samples of the whole recording; who asks again is given the same object. */
export async function loadAllSamples(query: Query): Promise<Samples> {
  return (await keptOf(query)).all;
}

/**
 * The samples from `start` on and before `end`, in ns. All of a trace are read once; who asks for the same
 * stretch again is given the same object.
 */
export async function loadSamples(
  query: Query,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Samples> {
  const of = await keptOf(query);
  const { ts, callsite, kind, kinds } = of.all;
  const from = bisectLeft(ts, Math.floor(start));
  const to = Math.max(from, bisectLeft(ts, Math.ceil(end)));
  if (to - from === of.all.count) return of.all;
  const part = ts.subarray(from, to);
  if (of.last?.count === part.length && of.last.ts.byteOffset === part.byteOffset) return of.last;
  of.last = {
    count: part.length,
    ts: part,
    callsite: callsite.subarray(from, to),
    kind: kind.subarray(from, to),
    kinds,
  };
  return of.last;
}

async function readSamples(query: Query): Promise<Samples> {
  const { tables } = dataOf(query);
  const count = await tables.rowCount('etw_sample');
  const [ts, callsite, kind] = [new Float64Array(count), new Int32Array(count), new Int32Array(count)];
  const kinds = new SampleKinds();
  let found = 0;
  for await (const batch of tables.batches('etw_sample', COLUMNS, undefined, 'once')) {
    const { columns } = batch;
    for (let row = 0; row < batch.rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      if (utid === IDLE_UTID) continue;
      ts[found] = columns.ts.values[row] ?? 0;
      callsite[found] = columns.callsite.values[row] ?? 0;
      kind[found++] = kinds.of(utid, columns, row);
    }
  }
  const own = <T extends Float64Array | Int32Array>(all: T) => all.subarray(0, found) as T;
  return { count: found, ts: own(ts), callsite: own(callsite), kind: own(kind), kinds: kinds.all };
}

/** What samples say besides time and calls, each once. */
class SampleKinds {
  readonly all: SampleKind[] = [];
  /** By thread, and by the rest as one number. */
  readonly #ids: Map<number, number>[] = [];

  /** The number of the kind of a sample. */
  of(utid: number, columns: Readonly<Record<(typeof COLUMNS)[number], Values>>, row: number): number {
    const rank = numberAt(columns.rank, row);
    const priority = numberAt(columns.priority, row);
    const weight_ns = numberAt(columns.weight_ns, row) ?? 0;
    const mode =
      columns.in_isr.values[row] === 1
        ? 'isr'
        : columns.in_dpc.values[row] === 1
          ? 'dpc'
          : columns.is_kernel.values[row] === 1
            ? 'kernel'
            : 'user';
    const key = ((weight_ns * 257 + (rank ?? 256)) * 33 + (priority ?? 32)) * 4 + MODES.indexOf(mode);
    const ofThread = (this.#ids[utid] ??= new Map<number, number>());
    let id = ofThread.get(key);
    if (id === undefined)
      ofThread.set(key, (id = this.all.push({ utid, rank, priority, mode, weight_ns }) - 1));
    return id;
  }
}

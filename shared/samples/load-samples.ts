import { bisectLeft } from 'd3';
import { halvesOf, oncePerTrace, realsOf, type Query } from '../engine/index.ts';
import samplesSql from './samples.sql';

/** What a CPU was at when it was sampled. */
export const MODES = ['user', 'kernel', 'dpc', 'isr'] as const;
export type Mode = (typeof MODES)[number];

/** What a sample stands for where the recording does not tell: Windows' default interval. */
export const DEFAULT_INTERVAL_NS = 1_000_000;

/** What a sample tells beside its time and its calls: many samples tell the same. */
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

interface Kept {
  readonly all: Samples;
  /** What was asked for last. */
  last: Samples | null;
}

const keptOf = oncePerTrace(async (query): Promise<Kept> => ({
  all: await askForSamples(query),
  last: null,
}));

/** The samples of the whole recording; who asks again is given the same object. */
export async function loadAllSamples(query: Query): Promise<Samples> {
  return (await keptOf(query)).all;
}

/**
 * The samples from `start` on and before `end`, in ns. The engine is asked once a trace, for all of them; who asks for the same
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

async function askForSamples(query: Query): Promise<Samples> {
  const rows = await query(samplesSql);
  const ts = realsOf(rows, 'ts');
  const { lower: utid, upper: callsite } = halvesOf(rows, 'place');
  return { count: ts.length, ts, callsite, ...readKinds(utid, halvesOf(rows, 'kind')) };
}

/** The kind of each sample, by its thread and by the halves of what `samples.sql` packs. */
function readKinds(
  utid: Int32Array,
  { lower, upper }: { readonly lower: Int32Array; readonly upper: Int32Array },
): Pick<Samples, 'kind' | 'kinds'> {
  const kinds: SampleKind[] = [];
  const ids: Map<number, number>[] = [];
  const kind = new Int32Array(utid.length);
  for (let row = 0; row < kind.length; row++) {
    const thread = utid[row] ?? 0;
    const [flags, weight] = [lower[row] ?? 0, (upper[row] ?? 0) >>> 0];
    const packed = weight * 2 ** 32 + flags;
    const ofThread = (ids[thread] ??= new Map<number, number>());
    let id = ofThread.get(packed);
    if (id === undefined) ofThread.set(packed, (id = kinds.push(readKind(thread, flags, weight)) - 1));
    kind[row] = id;
  }
  return { kind, kinds };
}

/** By bits of `flags` and the weight in units of 100 ns, as `samples.sql` packs them. */
function readKind(utid: number, flags: number, weight: number): SampleKind {
  const rank = flags & 0xff;
  return {
    utid,
    rank: rank === 0xff ? null : rank,
    priority: flags & 0x2000 ? (flags >> 8) & 31 : null,
    mode: flags & 0x8000 ? 'isr' : flags & 0x4000 ? 'dpc' : flags & 0x1_0000 ? 'kernel' : 'user',
    weight_ns: weight * 100,
  };
}

import type { Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import type { Measure } from './index.ts';

const COLUMNS = ['ts', 'te', 'utid'] as const;

/** Groups of lengths lie apart by a factor of so much at least. */
const FACTOR = 8;
/** Each group holds this part of the waits at least. */
const LEAST_SHARE = 0.1;
/** Fewer waits have no shape. */
const LEAST_WAITS = 50;

/** Threads whose ready waits are of two kinds: short ones and long ones, and none between that is less than 8 times as long as the one before. */
export const twoModes: Measure = {
  columns: [
    ...['utid', 'ts', 'dur', 'waits', 'long_waits'],
    ...['short_ns', 'long_ns', 'short_most_ns', 'long_least_ns', 'long_sum_ns'],
  ],
  async rows({ query }) {
    const candidates = await threadsWithGaps(query);
    const found: number[][] = [];
    for (const [utid, { lengths: given, longest_ts }] of await lengthsOf(query, candidates)) {
      if (given.length < LEAST_WAITS) continue;
      const lengths = Float64Array.from(given).sort();
      const gap = widestGap(lengths);
      if (gap === null) continue;
      const long = lengths.subarray(gap);
      found.push([
        ...[utid, longest_ts, lengths.at(-1) ?? 0, lengths.length, long.length],
        ...[middle(lengths.subarray(0, gap)), middle(long), lengths[gap - 1] ?? 0, lengths[gap] ?? 0],
        long.reduce((sum, ns) => sum + ns, 0),
      ]);
    }
    return found.sort((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0));
  },
};

/** Lengths are told apart by so many parts of a factor of 2: lengths that lie apart by `FACTOR` have empty parts between. */
const PARTS = 8;
/** More than 2 ** 48 ns are three days. */
const CLASSES = 48 * PARTS;
const EMPTY_BETWEEN = Math.log2(FACTOR) * PARTS - 2;

const classOf = (ns: number) => Math.min(CLASSES - 1, Math.floor(Math.log2(Math.max(1, ns)) * PARTS));

/** Threads of which no ready wait is between some short ones and some long ones: there may be two kinds. */
async function threadsWithGaps(query: Query): Promise<ReadonlySet<number>> {
  const classes = new Map<number, Uint8Array>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', COLUMNS)) {
    for (let row = 0; row < rowCount; row++) {
      const utid = columns.utid.values[row] ?? 0;
      const of = classes.get(utid) ?? new Uint8Array(CLASSES);
      classes.set(utid, of);
      of[classOf((columns.te.values[row] ?? 0) - (columns.ts.values[row] ?? 0))] = 1;
    }
  }
  return new Set([...classes].filter(([, of]) => hasGap(of)).map(([utid]) => utid));
}

function hasGap(classes: Uint8Array): boolean {
  let last = -1;
  for (let at = 0; at < classes.length; at++) {
    if (classes[at] === 0) continue;
    if (last >= 0 && at - last - 1 >= EMPTY_BETWEEN) return true;
    last = at;
  }
  return false;
}

interface Lengths {
  readonly lengths: number[];
  longest_ns: number;
  longest_ts: number;
}

/** How long the ready waits of some threads are. */
async function lengthsOf(query: Query, utids: ReadonlySet<number>): Promise<ReadonlyMap<number, Lengths>> {
  const found = new Map([...utids].map((utid): [number, Lengths] => [utid, newLengths()]));
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_ready_wait', COLUMNS)) {
    for (let row = 0; row < rowCount; row++) {
      const of = found.get(columns.utid.values[row] ?? 0);
      if (of === undefined) continue;
      const ts = columns.ts.values[row] ?? 0;
      const length_ns = (columns.te.values[row] ?? 0) - ts;
      of.lengths.push(length_ns);
      if (length_ns >= of.longest_ns) [of.longest_ns, of.longest_ts] = [length_ns, ts];
    }
  }
  return found;
}

function newLengths(): Lengths {
  return { lengths: [], longest_ns: -1, longest_ts: 0 };
}

/** Where the long ones begin: at the widest step between two lengths, if both sides hold enough. */
function widestGap(sorted: Float64Array): number | null {
  let [at, widest] = [0, 0];
  const least = Math.ceil(sorted.length * LEAST_SHARE);
  for (let index = least; index <= sorted.length - least; index++) {
    const factor = (sorted[index] ?? 0) / Math.max(1, sorted[index - 1] ?? 0);
    if (factor > widest) [at, widest] = [index, factor];
  }
  return widest >= FACTOR ? at : null;
}

function middle(sorted: Float64Array): number {
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}

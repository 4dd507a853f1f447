import { keepLast } from '../engine/index.ts';
import {
  type Batch,
  type BatchTimes,
  type NumberValues,
  type Stretch,
  type Tables,
} from '../tables/index.ts';
import type { Delay } from './delay.ts';
import { CountedLengths, LengthCounts, MOST_BLOCKS } from './length-counts.ts';
import { Longest } from './longest.ts';
import { sortLengths } from './sort-lengths.ts';

/** The columns of ready waits that {@link wakeLengths} looks at. */
export const WAKE_COLUMNS = ['ts', 'te', 'ended', 'cause'] as const;

/**
 * Writes by row, from a first one on as far as there is room, how long ready waits are that are episodes of the kind `wake` and lie in a range
 * as a whole, in ns; NaN for the others.
 */
export function wakeLengths(
  { rowCount, columns }: Batch<(typeof WAKE_COLUMNS)[number]>,
  { start, end }: Stretch,
  into: Float64Array,
  firstRow = 0,
): void {
  const [starts, ends, ended] = [columns.ts.values, columns.te.values, columns.ended.values];
  const { values: causes, present, texts } = columns.cause;
  // Which it is, is chance: to add 0 or NaN takes less than to go one way or the other.
  const ofCause = Float64Array.from(texts ?? [], (text) => (text === 'wake' ? 0 : NaN));
  const count = Math.min(into.length, rowCount - firstRow);
  for (let at = 0; at < count; at++) {
    const row = firstRow + at;
    const ts = starts[row] ?? 0;
    const te = ends[row] ?? 0;
    const isWhole = ended[row] === 1 && te > ts && ts >= start && te <= end && present?.[row] !== 0;
    into[at] = isWhole ? te - ts + (ofCause[causes[row] ?? 0] ?? NaN) : NaN;
  }
}

/** So many of the longest wakes of a range are known at most. */
export const MOST_LONGEST = 1000;
/** So many bytes of what parts have are kept at most: of each wake one and a few more. Parts beyond that are one block each. */
const KEPT_BYTES = 256 << 20;
/** Rows are read so many at once, or a multiple of them. */
const BLOCK_ROWS = 1024;

/** How long episodes of a kind are, and the longest of them, longest first; equal ones by when they began. */
export interface Found {
  readonly lengths: LengthCounts;
  readonly longest: readonly Delay[];
}

/** The wakes of a batch of ready waits that lie in a range as a whole. */
export interface WakePart {
  /** The number of the first row of the batch. */
  readonly firstRow: number;
  readonly lengths: CountedLengths;
  /** Their rows are in blocks of so many rows of the batch. */
  readonly blockRows: number;
  /** Of each block the least and the greatest end of its rows. */
  readonly ends: Float64Array;
  /** So many as are known at most, longest first. */
  readonly longest: readonly Delay[];
}

/** Of each trace, what batches have that ranges held as a whole, and when their rows begin and end: no range changes it. */
const keptParts = new WeakMap<Tables, Map<number, WakePart & { readonly times: BatchTimes }>>();

/** The wakes of a range. */
export async function wakesIn(tables: Tables, range: Stretch): Promise<Found> {
  const parts = await wakeParts(tables, range);
  const lengths = new LengthCounts(parts.map((part) => part.lengths));
  return { lengths, longest: longestOf(parts, lengths.at(Math.max(0, lengths.count - MOST_LONGEST))) };
}

/** The wakes of a range by batch, in their order. Only batches at its ends, and those that no range held yet, are read. */
export function wakeParts(
  tables: Tables,
  range: Stretch,
  keptBytes = KEPT_BYTES,
): Promise<readonly WakePart[]> {
  return keepParts(tables, `${range.start} ${range.end}`, () => readParts(tables, range, keptBytes));
}

/** Who lists the episodes of a range mostly compares them, too. */
const keepParts = keepLast<readonly WakePart[], Tables>((parts) => bytesOfAll(parts) <= KEPT_BYTES);

async function readParts(tables: Tables, range: Stretch, keptBytes: number): Promise<readonly WakePart[]> {
  const kept = keptParts.get(tables) ?? new Map<number, WakePart & { readonly times: BatchTimes }>();
  keptParts.set(tables, kept);
  const isHeld = ({ least_ns, greatest_ns }: BatchTimes) =>
    least_ns >= range.start && greatest_ns <= range.end;
  const held = new Map([...kept].filter(([, { times }]) => isHeld(times)));
  const parts: WakePart[] = [...held.values()];
  let bytes = bytesOfAll([...kept.values()]);
  const columns = [...WAKE_COLUMNS, 'utid'] as const;
  for await (const batch of tables.batches('etw_ready_wait', columns, range, undefined, held)) {
    const isKept = bytes <= keptBytes;
    const part = partOf(batch, range, isKept);
    parts.push(part);
    bytes += bytesOf(part);
    const { times } = batch;
    if (isKept && times !== undefined && isHeld(times)) kept.set(part.firstRow, { ...part, times });
  }
  return parts.sort((a, b) => a.firstRow - b.firstRow);
}

function bytesOfAll(parts: readonly WakePart[]): number {
  return parts.reduce((sum, part) => sum + bytesOf(part), 0);
}

function bytesOf({ lengths, ends }: WakePart): number {
  return lengths.bytes() + ends.byteLength;
}

/** A stretch of time that all wakes of a block of a part touch. */
export function stretchOfBlock({ ends }: WakePart, block: number): Stretch {
  return { start: (ends[2 * block] ?? 0) - 1, end: ends[2 * block + 1] ?? 0 };
}

/** The longest of some parts, but for those that are shorter than `least_ns`. */
function longestOf(parts: readonly WakePart[], least_ns: number): readonly Delay[] {
  const longest = new Longest(MOST_LONGEST);
  for (const part of parts)
    for (const { utid, ts, te } of part.longest) {
      if (te - ts < least_ns) break;
      longest.look(utid, ts, te);
    }
  return longest.all();
}

/** Memory that is used for one batch after the other: new memory would take as long as what is done in it. */
let room = roomFor(0);

function roomFor(rows: number) {
  return { byRow: new Float64Array(rows), sorted: new Float64Array(rows), blocks: new Uint8Array(rows) };
}

function partOf(
  batch: Batch<(typeof WAKE_COLUMNS)[number] | 'utid'>,
  range: Stretch,
  isInBlocks: boolean,
): WakePart {
  const { rowCount, columns, firstRow } = batch;
  if (room.blocks.length < rowCount) room = roomFor(rowCount);
  const byRow = room.byRow.subarray(0, rowCount);
  wakeLengths(batch, range, byRow);
  const blockRows = isInBlocks ? BLOCK_ROWS * Math.ceil(rowCount / BLOCK_ROWS / MOST_BLOCKS) : rowCount;
  const count = takeLengths(byRow, blockRows, room.sorted, room.blocks);
  const [sorted, blocks] = [room.sorted.subarray(0, count), room.blocks.slice(0, count)];
  sortLengths(sorted, blocks);
  const { ts, te, utid } = columns;
  const longest = longestBy(
    byRow,
    sorted[Math.max(0, count - MOST_LONGEST)] ?? 0,
    utid.values,
    ts.values,
    te.values,
  );
  const lengths = new CountedLengths(sorted, isInBlocks ? blocks : null);
  return { firstRow, lengths, blockRows, ends: endsByBlock(te.values, blockRows), longest };
}

/** The longest of the rows that are not shorter than `least_ns`, see {@link WakePart.longest}. */
function longestBy(
  byRow: Float64Array,
  least_ns: number,
  utid: NumberValues,
  ts: NumberValues,
  te: NumberValues,
): readonly Delay[] {
  const longest = new Longest(MOST_LONGEST);
  for (let row = 0; row < byRow.length; row++)
    if ((byRow[row] ?? 0) >= least_ns) longest.look(utid[row] ?? 0, ts[row] ?? 0, te[row] ?? 0);
  return longest.all();
}

/** Writes the lengths of rows that have one, and the block of each. Gives how many there are. */
function takeLengths(
  byRow: Float64Array,
  blockRows: number,
  lengths: Float64Array,
  blocks: Uint8Array,
): number {
  let count = 0;
  for (let [first, block] = [0, 0]; first < byRow.length; first += blockRows, block++) {
    const last = Math.min(byRow.length, first + blockRows);
    for (let row = first; row < last; row++) {
      const length = byRow[row] ?? NaN;
      // Whether there is one is chance: to write in vain takes less than to go one way or the other.
      lengths[count] = length;
      blocks[count] = block;
      count += length >= 0 ? 1 : 0;
    }
  }
  return count;
}

/** Of each block of rows the least and the greatest end. */
function endsByBlock(te: NumberValues, blockRows: number): Float64Array {
  const ends = new Float64Array(2 * Math.ceil(te.length / blockRows));
  for (let [first, at] = [0, 0]; first < te.length; first += blockRows, at += 2) {
    const last = Math.min(te.length, first + blockRows);
    let least = Infinity;
    let greatest = -Infinity;
    for (let row = first; row < last; row++) {
      const end = te[row] ?? 0;
      if (end < least) least = end;
      if (end > greatest) greatest = end;
    }
    ends[at] = least;
    ends[at + 1] = greatest;
  }
  return ends;
}

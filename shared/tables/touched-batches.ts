import { BLOCK_ROWS, lastAtMost } from '../columns/index.ts';
import type { TableInfo } from './table-info.ts';
import type { BatchTimes, ReadHow, Stretch } from './tables.ts';

/** The stretches of time that rows are read of: in the order of time, and apart from one another. */
export type Touched = readonly Stretch[];

type BatchInfo = TableInfo['batches'][number];

/** What a range touches, or several ranges whose starts rise. */
export function touchedBy(range: Stretch | readonly Stretch[]): Touched {
  if ('start' in range) return [range];
  const apart: Stretch[] = [];
  for (const { start, end } of range) joinNear(apart, { start, end }, 0);
  return apart;
}

/** The numbers of the batches that are read of what is touched, in the order in which they are asked for. */
export function touchedBatches(
  batches: readonly BatchInfo[],
  touched: Touched | undefined,
  how: ReadHow | undefined,
): number[] {
  if (how === 'within') return widestWithin(batches, touched);
  // Many readers ask for one of hundreds of batches, hundreds of times: so no list is made for each batch.
  const numbers: number[] = [];
  const only = touched?.length === 1 ? touched[0] : undefined;
  for (let batch = 0; batch < batches.length; batch++) {
    const { rowCount = 0, times = null } = batches[batch] ?? {};
    if (rowCount === 0) continue;
    const isTouched =
      touched === undefined ||
      times === null ||
      (only === undefined ? stretchesIn(touched, times).length > 0 : touches(only, times));
    if (isTouched) numbers.push(batch);
  }
  return how === 'backwards' ? numbers.reverse() : numbers;
}

/** How many rows the batches have that are read of what is touched. */
export function rowsIn(batches: readonly BatchInfo[], touched: Touched | undefined): number {
  return touchedBatches(batches, touched, undefined).reduce(
    (rows, batch) => rows + (batches[batch]?.rowCount ?? 0),
    0,
  );
}

/** The numbers of the batches that lie in a stretch that is touched, but for those that lie in a longer one of these. */
function widestWithin(batches: readonly BatchInfo[], touched: Touched = [EVER]): number[] {
  const within = batches.flatMap(({ times }, batch) => {
    const isWithin =
      times !== null && touched.some(({ start, end }) => start <= times.least_ns && times.greatest_ns < end);
    return isWithin ? [{ batch, least_ns: times.least_ns, greatest_ns: times.greatest_ns }] : [];
  });
  const widest = within.filter(
    ({ least_ns, greatest_ns }) =>
      !within.some(
        (other) =>
          other.least_ns <= least_ns &&
          greatest_ns <= other.greatest_ns &&
          greatest_ns - least_ns < other.greatest_ns - other.least_ns,
      ),
  );
  return widest.map(({ batch }) => batch);
}

const EVER: Stretch = { start: -Infinity, end: Infinity };

/**
 * What is touched of a batch, to be read without the rest of it; undefined where to read all takes little more, or where the file does not tell
 * when its rows end. What lies nearer than rows are read at once is one stretch.
 */
export function partsOf(
  { columns, batches }: TableInfo,
  batch: number,
  touched: Touched | undefined,
): Touched | undefined {
  const { rowCount, times = null } = batches[batch] ?? { rowCount: 0 };
  if (touched === undefined || times === null || !columns.some(({ name }) => name === 'te')) return undefined;
  const { least_ns, greatest_ns } = times;
  const all_ns = greatest_ns - least_ns;
  const block_ns = (all_ns * BLOCK_ROWS) / rowCount;
  const parts: Stretch[] = [];
  for (const { start, end } of stretchesIn(touched, times)) {
    // A stretch may be infinite, which no message can say.
    const part = { start: Math.max(start, least_ns - 1), end: Math.min(end, greatest_ns + 1) };
    joinNear(parts, part, block_ns);
  }
  const read_ns = parts.reduce((sum, { start, end }) => sum + Math.max(block_ns, end - start), 0);
  return read_ns * 2 < all_ns ? parts : undefined;
}

/** Whether a stretch touches a batch. */
function touches({ start, end }: Stretch, { least_ns, greatest_ns }: BatchTimes): boolean {
  return start < greatest_ns && end > least_ns;
}

/** Those stretches that touch a batch. */
function stretchesIn(touched: Touched, times: BatchTimes): Touched {
  const { least_ns, greatest_ns } = times;
  const from = lastAtMost(touched.length, (at) => touched[at]?.end ?? 0, least_ns);
  const to = lastAtMost(touched.length, (at) => touched[at]?.start ?? 0, greatest_ns) + 1;
  return touched.slice(from, to).filter((stretch) => touches(stretch, times));
}

/** Adds a stretch, or has the last one reach to its end where they are so near. */
function joinNear(stretches: Stretch[], { start, end }: Stretch, near_ns: number): void {
  const last = stretches.at(-1);
  if (last === undefined || start - last.end > near_ns) stretches.push({ start, end });
  else stretches[stretches.length - 1] = { start: last.start, end: Math.max(last.end, end) };
}

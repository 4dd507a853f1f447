import type { TableInfo } from './table-info.ts';
import type { ReadHow, Stretch } from './tables.ts';

/** The numbers of the batches that may have rows of a range, in the order in which they are asked for. */
export function touchedBatches(
  batches: TableInfo['batches'],
  range: Stretch | undefined,
  how: ReadHow | undefined,
): number[] {
  const touched = batches.flatMap(({ rowCount, times }, batch) => {
    const isTouched =
      rowCount > 0 &&
      (range === undefined ||
        times === null ||
        (times.least_ns < range.end && times.greatest_ns > range.start));
    return isTouched ? [batch] : [];
  });
  return how === 'backwards' ? touched.reverse() : touched;
}

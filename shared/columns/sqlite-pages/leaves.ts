import { lastAtMost, type ColumnReader, type ColumnTable } from '../column-table.ts';
import { bytesKept, LEAF_HEADER_BYTES, OVERFLOW_BYTES, PAGE_BYTES, RECORD_BYTES_WHOLE } from './format.ts';
import type { RecordWriter } from './record-writer.ts';

/** Rows whose cells are bounded by this many bytes get an equal number of rows on each leaf; others are measured. */
const CELL_BYTES_BOUNDED = 1024;

/** A row whose record goes on, after its leaf, on pages of its own. */
export interface LongRow {
  readonly row: number;
  readonly recordBytes: number;
  /** The first of its overflow pages, counted over all long rows; and how many it has. */
  readonly firstPage: number;
  readonly pageCount: number;
}

/** Which rows are on which leaf of a table. Each leaf lies within one batch. */
export interface Leaves {
  readonly count: number;
  /** The first row of a leaf; of the leaf after the last: the number of rows. */
  firstRow(leaf: number): number;
  /** Rows that overflow, ascending. */
  readonly long: readonly LongRow[];
}

/** Lays rows out on leaves. Reads the lengths of texts where these have no useful bound; else nothing. */
export function layLeaves(
  table: ColumnTable,
  writer: RecordWriter,
  readers: readonly ColumnReader[],
): Leaves {
  return writer.cellBytesMax <= CELL_BYTES_BOUNDED
    ? equalLeaves(table, writer.cellBytesMax)
    : measuredLeaves(table, writer, readers);
}

/** Each leaf has as many rows as fit in any case, the last one of a batch the rest. */
function equalLeaves({ batches, rowCount }: ColumnTable, cellBytesMax: number): Leaves {
  const rowsMax = Math.floor((PAGE_BYTES - LEAF_HEADER_BYTES) / (cellBytesMax + 2));
  const filled = batches.filter((batch) => batch.rowCount > 0);
  let count = 0;
  const firstLeaf = filled.map((batch) => {
    const first = count;
    count += Math.ceil(batch.rowCount / rowsMax);
    return first;
  });
  return {
    count: Math.max(count, 1),
    firstRow(leaf) {
      if (leaf >= count) return rowCount;
      const batch = lastAtMost(firstLeaf.length, (i) => firstLeaf[i] ?? 0, leaf);
      return (filled[batch]?.firstRow ?? 0) + (leaf - (firstLeaf[batch] ?? 0)) * rowsMax;
    },
    long: [],
  };
}

/** Each leaf has as many rows as fit. */
function measuredLeaves(table: ColumnTable, writer: RecordWriter, readers: readonly ColumnReader[]): Leaves {
  const first: number[] = [];
  const long: LongRow[] = [];
  let longPages = 0;
  const texts = readers.filter((_, i) => table.columns[i]?.type.kind === 'text');
  table.batches.forEach(({ firstRow, rowCount }, batch) => {
    const cellBytes = new Float64Array(rowCount).fill(writer.fixedBytesMax);
    for (const reader of texts) reader.addLengths(batch, cellBytes);
    let freeBytes = 0;
    for (let i = 0; i < rowCount; i++) {
      let bytes = cellBytes[i] ?? 0;
      if (bytes - writer.prefixBytes > RECORD_BYTES_WHOLE) {
        // Only so near to the bound do nulls matter, which are shorter than reckoned.
        writer.measure(
          readers.map((reader) => reader.load(batch, i, i + 1)),
          0,
          1,
        );
        const recordBytes = writer.recordBytes(0);
        bytes = writer.prefixBytes + recordBytes;
        if (recordBytes > RECORD_BYTES_WHOLE) {
          const kept = bytesKept(recordBytes);
          const pageCount = Math.ceil((recordBytes - kept) / OVERFLOW_BYTES);
          long.push({ row: firstRow + i, recordBytes, firstPage: longPages, pageCount });
          longPages += pageCount;
          bytes = writer.prefixBytes + kept + 4;
        }
      }
      if (i === 0 || bytes + 2 > freeBytes) {
        first.push(firstRow + i);
        freeBytes = PAGE_BYTES - LEAF_HEADER_BYTES;
      }
      freeBytes -= bytes + 2;
    }
  });
  const firsts = Float64Array.from(first);
  return {
    count: Math.max(firsts.length, 1),
    firstRow: (leaf) => firsts[leaf] ?? table.rowCount,
    long,
  };
}

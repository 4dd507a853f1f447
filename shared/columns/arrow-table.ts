import { readBatch, type ColumnRegions } from './arrow-batch.ts';
import { arrowColumn } from './arrow-column.ts';
import { readDictionaries } from './arrow-dictionary.ts';
import { readFooter, type ArrowFooter } from './arrow-footer.ts';
import type { ByteSource } from './byte-source.ts';
import type { Batch, ColumnTable } from './column-table.ts';
import { ColumnsError } from './columns-error.ts';

/** The metadata key that names the column whose values ascend and are all different. */
export const KEY_METADATA = 'outrank.key';
/** The metadata key of the times of batches: a JSON array of `["least ts", "greatest te"]`, one a batch, in ns. */
export const TIMES_METADATA = 'outrank.batches';

/** The metadata key of the beginnings of rows that last: a JSON array, for each batch the least `ts` of each {@link BLOCK_ROWS}, in ns after its least. */
export const STARTS_METADATA = 'outrank.starts';
/** The metadata key of the ends of rows that last: likewise the greatest `te` of each {@link BLOCK_ROWS}. */
export const ENDS_METADATA = 'outrank.ends';
/** The metadata key of the column that ascends in most files of a table and not in this one: `te`, where rows are not in the order of their ends. */
export const UNORDERED_METADATA = 'outrank.unordered';
/** So many rows have one least `ts` and one greatest `te` in the metadata. */
export const BLOCK_ROWS = 1024;

/** A batch, and the stretch of time that its rows are in. */
export interface TimedBatch extends Batch {
  /** From the least `ts` to the greatest `te` (or `ts`), in ns; null where the file does not say. */
  readonly times: { readonly least_ns: number; readonly greatest_ns: number } | null;
  /** The least `ts` of each {@link BLOCK_ROWS} rows, in ns; null where the file does not say, or rows do not last. */
  readonly starts_ns: readonly number[] | null;
  /** Likewise the greatest `te`. */
  readonly ends_ns: readonly number[] | null;
}

/** The table of an Arrow file. */
export interface ArrowTable extends ColumnTable {
  readonly batches: readonly TimedBatch[];
  /** Custom metadata of the schema and of the footer. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Where the bytes of a column in a batch are, by the numbers of both. */
  regionsOf(batch: number, column: number): ColumnRegions;
  /** How many bytes a code of a column of dictionary codes has; null for another column. */
  codeBytesOf(column: number): number | null;
}

/**
 * Opens the table of an uncompressed Arrow IPC file: reads the footer, what batches say of themselves, and the
 * dictionaries, no rows. The source must stay open as long as rows are read. Throws a {@link ColumnsError}.
 */
export function openArrowTable(source: ByteSource): ArrowTable {
  const footer = readFooter(source);
  const layouts = footer.batches.map((block) => readBatch(source, block, footer.columns));
  const dictionaries = readDictionaries(source, footer.dictionaries);
  const times = batchTimes(source, footer);
  const blockTimes = (key: string) => timesOfBlocks(source, footer, key, layouts, times);
  const [starts, ends] = [blockTimes(STARTS_METADATA), blockTimes(ENDS_METADATA)];
  const dictionaryOf = (column: number) => {
    const id = footer.columns[column]?.codes?.dictionary;
    // A file without rows may leave out its dictionaries.
    return id === undefined ? null : (dictionaries.get(id) ?? NO_TEXTS);
  };
  let rowCount = 0;
  const batches = layouts.map((layout, i): TimedBatch => {
    const firstRow = rowCount;
    rowCount += layout.rowCount;
    return {
      firstRow,
      rowCount: layout.rowCount,
      times: times?.[i] ?? null,
      starts_ns: starts?.[i] ?? null,
      ends_ns: ends?.[i] ?? null,
    };
  });
  const key = footer.metadata.get(KEY_METADATA) ?? null;
  const keyType = footer.columns.find(({ name }) => name === key)?.type;
  if (key !== null && !(keyType?.kind === 'int' && keyType.bytes === 8 && keyType.signed))
    throw new ColumnsError(source.name, footer.at, `a column of Int64 named "${key}", since it is the key`);
  return {
    file: source.name,
    columns: footer.columns.map(({ name, type }, i) => ({ name, type, dictionary: dictionaryOf(i) })),
    rowCount,
    batches,
    key,
    metadata: footer.metadata,
    regionsOf(batch, column) {
      const regions = layouts[batch]?.columns[column];
      if (regions === undefined)
        throw new RangeError(`no batch ${batch} with a column ${column} in ${source.name}`);
      return regions;
    },
    codeBytesOf: (column) => footer.columns[column]?.codes?.type.bytes ?? null,
    openColumn(number) {
      const column = footer.columns[number];
      if (column === undefined) throw new RangeError(`no column ${number} in ${source.name}`);
      return arrowColumn(source, column, number, layouts, dictionaryOf(number));
    },
  };
}

const NO_TEXTS = {
  size: 0,
  bytes: new Uint8Array(0),
  start: new Uint32Array(0),
  length: new Uint32Array(0),
  present: null,
  longestBytes: 0,
};

function batchTimes(source: ByteSource, footer: ArrowFooter): NonNullable<TimedBatch['times']>[] | null {
  const expected = `${footer.batches.length} pairs of times`;
  return ofBatches(source, footer, TIMES_METADATA, expected, (pair) => {
    const [least_ns, greatest_ns] = Array.isArray(pair) ? pair.map(Number) : [];
    return isWhole(least_ns) && isWhole(greatest_ns) ? { least_ns, greatest_ns } : null;
  });
}

function timesOfBlocks(
  source: ByteSource,
  footer: ArrowFooter,
  key: string,
  layouts: readonly { readonly rowCount: number }[],
  times: ReturnType<typeof batchTimes>,
): number[][] | null {
  const expected = `${footer.batches.length} lists of times, one for ${BLOCK_ROWS} rows`;
  return ofBatches(source, footer, key, expected, (list, batch) => {
    const blocks = Math.ceil((layouts[batch]?.rowCount ?? 0) / BLOCK_ROWS);
    const least_ns = times?.[batch]?.least_ns;
    if (least_ns === undefined || !Array.isArray(list) || list.length !== blocks) return null;
    const times_ns = list.map((after_ns) => least_ns + Number(after_ns));
    return times_ns.every(isWhole) ? times_ns : null;
  });
}

const isWhole = (value: number | undefined): value is number => Number.isSafeInteger(value);

/** What a file's metadata says about each of its batches: a JSON array. `read` gives null for a value that is wrong. */
function ofBatches<T>(
  source: ByteSource,
  { at, metadata, batches }: ArrowFooter,
  key: string,
  expected: string,
  read: (value: unknown, batch: number) => T | null,
): T[] | null {
  const text = metadata.get(key);
  if (text === undefined) return null;
  const wrong = () => new ColumnsError(source.name, at, `${key} to be a JSON array of ${expected}`);
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!Array.isArray(values) || values.length !== batches.length) throw wrong();
  return values.map((value: unknown, batch) => {
    const found = read(value, batch);
    if (found === null) throw wrong();
    return found;
  });
}

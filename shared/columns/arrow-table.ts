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

/** A batch, and the stretch of time that its rows are in. */
export interface TimedBatch extends Batch {
  /** From the least `ts` to the greatest `te` (or `ts`), in ns; null where the file does not say. */
  readonly times: { readonly least_ns: number; readonly greatest_ns: number } | null;
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
  const dictionaryOf = (column: number) => {
    const id = footer.columns[column]?.codes?.dictionary;
    // A file without rows may leave out its dictionaries.
    return id === undefined ? null : (dictionaries.get(id) ?? NO_TEXTS);
  };
  let rowCount = 0;
  const batches = layouts.map((layout, i): TimedBatch => {
    const firstRow = rowCount;
    rowCount += layout.rowCount;
    return { firstRow, rowCount: layout.rowCount, times: times?.[i] ?? null };
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

function batchTimes(
  source: ByteSource,
  { at, metadata, batches }: ArrowFooter,
): TimedBatch['times'][] | null {
  const text = metadata.get(TIMES_METADATA);
  if (text === undefined) return null;
  const wrong = () =>
    new ColumnsError(
      source.name,
      at,
      `${TIMES_METADATA} to be a JSON array of ${batches.length} pairs of times`,
    );
  let pairs: unknown;
  try {
    pairs = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!Array.isArray(pairs) || pairs.length !== batches.length) throw wrong();
  return pairs.map((pair: unknown) => {
    const [least_ns, greatest_ns] = Array.isArray(pair) ? pair.map(Number) : [];
    if (!Number.isSafeInteger(least_ns) || !Number.isSafeInteger(greatest_ns)) throw wrong();
    return { least_ns: least_ns ?? 0, greatest_ns: greatest_ns ?? 0 };
  });
}

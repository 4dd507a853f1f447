import type { ColumnInfo, TableInfo } from './table-info.ts';
import type { Batch, FirstRows, ReadHow, Stretch, TableName, Tables, Values } from './tables.ts';
import { asPaths, readPaths } from './paths.ts';
import { packedBytes, unpackBatch, unpackParts, type UnpackedPart } from './packed-batch.ts';
import { partsOf, rowsIn, touchedBatches, touchedBy, type Touched } from './touched-batches.ts';
import { storedFor, workedOut } from './worked-out.ts';

/**
 * Gives columns of a batch, by their numbers, packed as `packBatch` does. With `within`, packed as `packParts` does: the rows that these
 * stretches of time touch, and some others.
 */
export type ReadBatch = (
  table: TableName,
  batch: number,
  columns: readonly number[],
  within?: readonly Stretch[],
) => Promise<Uint8Array>;

/** So many batches are under way at most: the next ones are read while one is looked at. */
const READ_AHEAD = 6;
/** How many bytes of columns are kept; then those that were used longest ago are let go. */
const KEPT_BYTES = 512 << 20;

/** The tables that lie in Arrow files. A host reads batches of them. Columns that were read are kept, up to a limit. */
export function arrowTables(infos: readonly TableInfo[], read: ReadBatch, keptBytes = KEPT_BYTES): Tables {
  return new ArrowTables(infos, read, keptBytes);
}

/** A class, since each function that makes generators gives them a shape of its own: code that runs through batches serves all traces. */
class ArrowTables implements Tables {
  readonly #infos: readonly TableInfo[];
  readonly #firstRows: ReadonlyMap<TableInfo, readonly number[]>;
  readonly #read: ReadBatch;
  readonly #keptBytes: number;
  readonly #kept: KeptColumns;
  #paths: Promise<readonly string[]> | null = null;

  constructor(infos: readonly TableInfo[], read: ReadBatch, keptBytes: number) {
    [this.#infos, this.#read, this.#keptBytes] = [infos, read, keptBytes];
    this.#firstRows = new Map(infos.map((info) => [info, firstRowsOf(info)]));
    this.#kept = new KeptColumns(keptBytes);
  }

  rowCount(table: TableName, range?: Stretch | readonly Stretch[]): Promise<number> {
    return Promise.resolve(rowsIn(this.#infoOf(table).batches, range && touchedBy(range)));
  }

  async *batches<C extends string>(
    table: TableName,
    columns: readonly C[],
    range?: Stretch | readonly Stretch[],
    how?: ReadHow,
    leftOut?: FirstRows,
  ): AsyncIterable<Batch<C>> {
    const info = this.#infoOf(table);
    const isThere = (name: string) => info.columns.some((column) => column.name === name);
    const stored = storedFor(columns, isThere);
    const numbers = stored.map((name) => numberOf(info, name));
    const stretches = range && touchedBy(range);
    const firstRows = this.#firstRows.get(info) ?? [];
    const touched = touchedBatches(info.batches, stretches, how).filter(
      (batch) => leftOut?.has(firstRows[batch] ?? 0) !== true,
    );
    const inParts = how === 'part' || Array.isArray(range);
    // Of more than is kept the first would be let go before it is read again.
    const isKept = how !== 'once' && how !== 'within' && sizeOf(info, numbers, touched) <= this.#keptBytes;
    const areFew = how === 'few' && !isKept;
    const underWay: Promise<readonly UnpackedPart[]>[] = [];
    for (let next = 0; next < touched.length; next++) {
      // Many readers find what they look for in the first batch: who goes on has more read ahead.
      const ahead = Math.min(READ_AHEAD, 2 * next + 1);
      while (underWay.length < ahead && next + underWay.length < touched.length) {
        const batch = touched[next + underWay.length] ?? 0;
        const within = inParts ? partsOf(info, batch, stretches) : undefined;
        const loading = this.#load(info, table, batch, numbers, { isKept, areFew, within });
        // The batch is awaited in its turn. Until then only this catches a failure.
        loading.catch(() => undefined);
        underWay.push(loading);
      }
      const firstRow = firstRows[touched[next] ?? 0] ?? 0;
      const times = info.batches[touched[next] ?? 0]?.times ?? undefined;
      for (const { from, rowCount, columns: values } of (await underWay.shift()) ?? []) {
        const found = Object.fromEntries(stored.map((name, at) => [name, values[at]]));
        const { file } = found;
        for (const name of columns)
          found[name] ??=
            name === 'path' && file !== undefined
              ? asPaths(file, await this.#pathsOfFiles())
              : workedOut(name, found);
        yield { firstRow: firstRow + from, rowCount, times, columns: found as Record<C, Values> };
      }
    }
  }

  async #load(
    info: TableInfo,
    table: TableName,
    batch: number,
    columns: readonly number[],
    { isKept, areFew, within }: LoadHow,
  ): Promise<readonly UnpackedPart[]> {
    // Taken before anything is awaited: what others read meanwhile may push them out.
    const known = new Map(columns.map((column) => [column, this.#kept.get(table, batch, column)]));
    const missing = columns.filter((column) => known.get(column) === undefined);
    const infosOf = (numbers: readonly number[]) =>
      numbers.map((column) => info.columns[column]).filter((column) => column !== undefined);
    if (within !== undefined && missing.length > 0)
      return unpackParts(table, await this.#read(table, batch, columns, within), infosOf(columns));
    const found =
      missing.length === 0
        ? null
        : unpackBatch(table, await this.#read(table, batch, missing), infosOf(missing), areFew);
    missing.forEach((column, at) => {
      const values = found?.columns[at];
      known.set(column, values);
      if (isKept && values !== undefined) this.#kept.put(table, batch, column, values);
    });
    const values = columns.map((column) => known.get(column)).filter((of) => of !== undefined);
    return [{ from: 0, rowCount: info.batches[batch]?.rowCount ?? 0, columns: values }];
  }

  #infoOf(table: TableName): TableInfo {
    const info = this.#infos.find(({ name }) => name === table);
    if (info === undefined) throw new Error(`this trace has no table ${table} in columns`);
    return info;
  }

  /** Read once; what failed is read again. */
  #pathsOfFiles(): Promise<readonly string[]> {
    const reading = (this.#paths ??= readPaths(this));
    reading.catch(() => (this.#paths = null));
    return reading;
  }
}

/** How columns of a batch are loaded: whether they stay, whether few rows are looked at, and what is touched of them. */
interface LoadHow {
  readonly isKept: boolean;
  readonly areFew: boolean;
  readonly within: Touched | undefined;
}

/** The number of the first row of each batch. */
function firstRowsOf({ batches }: TableInfo): readonly number[] {
  let row = 0;
  return batches.map(({ rowCount }) => (row += rowCount) - rowCount);
}

/** How many bytes columns of some batches take, about. */
function sizeOf({ columns, batches }: TableInfo, numbers: readonly number[], of: readonly number[]): number {
  const rows = of.reduce((sum, batch) => sum + (batches[batch]?.rowCount ?? 0), 0);
  return numbers.reduce((sum, number) => {
    const column = columns[number];
    return sum + (column === undefined ? 0 : packedBytes(column, rows));
  }, 0);
}

function numberOf({ name: table, columns }: TableInfo, name: string): number {
  const number = columns.findIndex((column: ColumnInfo) => column.name === name);
  if (number === -1) throw new Error(`the table ${table} has no column ${name}`);
  return number;
}

/** Columns of batches, the one used last at the end. */
class KeptColumns {
  readonly #limitBytes: number;
  readonly #columns = new Map<string, Values>();
  /** Columns that were read at once lie in one buffer, which is let go with the last of them. */
  readonly #held = new Map<ArrayBufferLike, { columns: number; bytes: number }>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get(table: TableName, batch: number, column: number): Values | undefined {
    const key = keyOf(table, batch, column);
    const values = this.#columns.get(key);
    if (values === undefined) return undefined;
    this.#columns.delete(key);
    this.#columns.set(key, values);
    return values;
  }

  put(table: TableName, batch: number, column: number, values: Values): void {
    const key = keyOf(table, batch, column);
    // Two readers may have read it at the same time.
    if (this.#columns.has(key)) return;
    this.#columns.set(key, values);
    this.#hold(values);
    for (const [oldestKey, oldest] of this.#columns) {
      if (this.#bytes <= this.#limitBytes) return;
      this.#columns.delete(oldestKey);
      this.#release(oldest);
    }
  }

  #hold(values: Values): void {
    const { buffer } = values.values;
    const held = this.#held.get(buffer) ?? { columns: 0, bytes: 0 };
    this.#held.set(buffer, held);
    held.columns++;
    held.bytes += bytesOf(values);
    this.#bytes += bytesOf(values);
  }

  #release({ values: { buffer } }: Values): void {
    const held = this.#held.get(buffer);
    if (held === undefined || --held.columns > 0) return;
    this.#held.delete(buffer);
    this.#bytes -= held.bytes;
  }
}

function keyOf(table: TableName, batch: number, column: number): string {
  return `${table} ${batch} ${column}`;
}

/** What a column takes; the texts of a dictionary are shared by its batches. */
function bytesOf({ values, present, utf8 }: Values): number {
  return values.byteLength + (present?.byteLength ?? 0) + (utf8?.bytes.byteLength ?? 0);
}

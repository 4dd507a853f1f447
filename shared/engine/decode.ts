/** From trace_processor's `QueryResult` messages to columns. */
import type { Cell, QueryResult, Row } from './result.ts';
import { WIRE, WireError, WireReader } from './wire.ts';

/** Fields of `QueryResult` and of its `CellsBatch`. */
const RESULT = { columnName: 1, batch: 3 } as const;
const BATCH = { cells: 1, varints: 2, doubles: 3, blobs: 4, texts: 5 } as const;
/** Values of `CellsBatch.CellType`. */
const CELL = { null: 1, varint: 2, double: 3, text: 4, blob: 5 } as const;

/** Reads `QueryResult` messages, joined. Throws an error if they are damaged. */
export function decodeQueryResult(bytes: Uint8Array): QueryResult {
  const { names, batches } = readResult(bytes);
  const cellCount = batches.reduce((sum, batch) => sum + batch.cells.length, 0);
  const rowCount = names.length === 0 ? 0 : cellCount / names.length;
  if (!Number.isInteger(rowCount) || (names.length === 0 && cellCount > 0)) {
    throw new WireError(`a result of ${cellCount} cells has ${names.length} columns`);
  }
  const columns = names.map((name) => new Column(name, rowCount));
  let cell = 0;
  for (const batch of batches) cell = fill(columns, batch, cell);
  return new ColumnarResult(names, columns, rowCount);
}

/** The names of columns and the batches of cells in `QueryResult` messages, joined. */
export function readResult(bytes: Uint8Array): { names: readonly string[]; batches: readonly Batch[] } {
  const names: string[] = [];
  const batches: Batch[] = [];
  const message = new WireReader(bytes);
  const decoder = new TextDecoder();
  while (!message.done) {
    const tag = message.tag();
    if (tag === RESULT.columnName * 8 + WIRE.bytes) names.push(decoder.decode(message.bytes()));
    else if (tag === RESULT.batch * 8 + WIRE.bytes) batches.push(readBatch(message.message()));
    else message.skip(tag);
  }
  return { names, batches };
}

/** Takes the cells of one column. Cells that are not put are null. */
export interface CellSink {
  putNumber(row: number, value: number | bigint): void;
  put(row: number, kind: 'number' | 'text' | 'blob', value: Cell): void;
}

/** A batch of cells, row after row: their types, and their values by type. */
interface Batch {
  cells: Uint8Array;
  varints: WireReader;
  doubles: DataView;
  texts: string[];
  blobs: Uint8Array[];
}

const NOTHING: Uint8Array = new Uint8Array(0);

function readBatch(message: WireReader): Batch {
  const blobs: Uint8Array[] = [];
  let [cells, varints, doubles, texts] = [NOTHING, NOTHING, NOTHING, NOTHING];
  while (!message.done) {
    const tag = message.tag();
    if (tag === BATCH.cells * 8 + WIRE.bytes) cells = message.bytes();
    else if (tag === BATCH.varints * 8 + WIRE.bytes) varints = message.bytes();
    else if (tag === BATCH.doubles * 8 + WIRE.bytes) doubles = message.bytes();
    else if (tag === BATCH.blobs * 8 + WIRE.bytes) blobs.push(message.bytes());
    else if (tag === BATCH.texts * 8 + WIRE.bytes) texts = message.bytes();
    else message.skip(tag);
  }
  return {
    cells,
    varints: new WireReader(varints),
    doubles: new DataView(doubles.buffer, doubles.byteOffset, doubles.byteLength),
    texts: new TextDecoder().decode(texts).split('\0'),
    blobs,
  };
}

/** Puts a batch's cells into their columns, from cell number `first` on; gives the number after the last. */
export function fill(columns: readonly CellSink[], batch: Batch, first: number): number {
  let cell = first;
  let column = first % columns.length;
  let row = (first - column) / columns.length;
  let [doubles, texts, blobs] = [0, 0, 0];
  for (const type of batch.cells) {
    const into = columns[column];
    switch (type) {
      case CELL.null:
        break;
      case CELL.varint:
        into?.putNumber(row, batch.varints.int64());
        break;
      case CELL.double:
        if (doubles + 8 > batch.doubles.byteLength) throw new WireError('a result lacks a double');
        into?.putNumber(row, batch.doubles.getFloat64(doubles, true));
        doubles += 8;
        break;
      case CELL.text:
        into?.put(row, 'text', take(batch.texts, texts++));
        break;
      case CELL.blob:
        into?.put(row, 'blob', take(batch.blobs, blobs++));
        break;
      default:
        throw new WireError(`a result has a cell of unknown type ${type}`);
    }
    cell++;
    if (++column === columns.length) {
      column = 0;
      row++;
    }
  }
  return cell;
}

function take<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new WireError('a result has fewer values than cells');
  return value;
}

/** A column's cells: doubles while all are numbers, else one array of whatever they are. */
class Column implements CellSink {
  readonly name: string;
  readonly #rowCount: number;
  #doubles: Float64Array | null = null;
  /** The exact values of the rows where a double is not. */
  #integers: Map<number, bigint> | null = null;
  #others: Cell[] | null = null;
  #kinds = new Set<'number' | 'text' | 'blob'>();

  constructor(name: string, rowCount: number) {
    this.name = name;
    this.#rowCount = rowCount;
  }

  putNumber(row: number, value: number | bigint): void {
    if (this.#others !== null) {
      this.put(row, 'number', value);
      return;
    }
    this.#doubles ??= this.#numberColumn();
    if (typeof value === 'bigint') (this.#integers ??= new Map()).set(row, value);
    this.#doubles[row] = Number(value);
  }

  put(row: number, kind: 'number' | 'text' | 'blob', value: Cell): void {
    this.#kinds.add(kind);
    this.#others ??= Array.from({ length: this.#rowCount }, (_, i) => this.cell(i));
    this.#others[row] = value;
  }

  #numberColumn(): Float64Array {
    this.#kinds.add('number');
    return new Float64Array(this.#rowCount).fill(NaN);
  }

  cell(row: number): Cell {
    if (this.#others !== null) return this.#others[row] ?? null;
    const number = this.#doubles?.[row];
    // SQLite has no NaN: it stands for null.
    if (number === undefined || Number.isNaN(number)) return null;
    return this.#integers?.get(row) ?? number;
  }

  numbers(): Float64Array {
    this.#check('number');
    return this.#doubles ?? new Float64Array(this.#rowCount).fill(NaN);
  }

  strings(): readonly (string | null)[] {
    this.#check('text');
    return (this.#others as (string | null)[] | null) ?? Array.from({ length: this.#rowCount }, () => null);
  }

  #check(kind: 'number' | 'text'): void {
    for (const found of this.#kinds) {
      if (found !== kind) throw new TypeError(`column "${this.name}" holds ${found}, not only ${kind}`);
    }
  }
}

class ColumnarResult implements QueryResult {
  readonly columns: readonly string[];
  readonly rowCount: number;
  readonly #columns: readonly Column[];

  constructor(names: readonly string[], columns: readonly Column[], rowCount: number) {
    this.columns = names;
    this.#columns = columns;
    this.rowCount = rowCount;
  }

  cell(row: number, column: number): Cell {
    const found = this.#columns[column];
    if (found === undefined || row < 0 || row >= this.rowCount) {
      throw new RangeError(`no cell in row ${row}, column ${column}`);
    }
    return found.cell(row);
  }

  numbers(column: string): Float64Array {
    return this.#named(column).numbers();
  }

  strings(column: string): readonly (string | null)[] {
    return this.#named(column).strings();
  }

  *rows(): IterableIterator<Row> {
    // A copy whose cells are then set takes a fifth of what a row made of entries takes. A name such as `__proto__` is one of its own.
    const empty = Object.fromEntries(this.columns.map((name): [string, Cell] => [name, null]));
    for (let row = 0; row < this.rowCount; row++) {
      const cells = { ...empty };
      for (const column of this.#columns) cells[column.name] = column.cell(row);
      yield cells;
    }
  }

  #named(name: string): Column {
    const found = this.#columns.find((column) => column.name === name);
    if (found === undefined) {
      throw new TypeError(`no column "${name}" among ${this.columns.join(', ')}`);
    }
    return found;
  }
}

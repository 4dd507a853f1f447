import { fill, readResult, type CellSink } from './decode.ts';
import type { Cell, QueryResult, Row } from './result.ts';

/** Rows of a chunk: columns grow by whole chunks, so that nothing is copied as they do. */
const CHUNK_ROWS = 1 << 16;
/** Beyond so many different texts a column no longer looks whether it has one already. */
const SHARED_TEXTS_MAX = 1 << 18;

/** The kinds of a cell that is no plain number. */
const KIND = { number: 0, text: 1, blob: 2, integer: 3 } as const;

/** The rows of a query while they come, column by column: a number takes 8 bytes, equal texts are kept once. */
export class GrowingResult implements QueryResult {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #names: readonly string[] = [];
  #columns: readonly GrowingColumn[] = [];
  #cells = 0;

  /**
   * Rows after the first `maxRows` are left out, and those that come once texts and blobs take `maxBytes`: a batch of the
   * engine's, or one row, can go beyond that.
   */
  constructor(maxRows: number, maxBytes = Infinity) {
    this.#maxRows = maxRows;
    this.#maxBytes = maxBytes;
  }

  /** Takes `QueryResult` messages, joined. Throws an error if they are damaged. */
  push(bytes: Uint8Array): void {
    const { names, batches } = readResult(bytes);
    if (names.length > 0) {
      this.#names = names;
      this.#columns = names.map((name) => new GrowingColumn(name));
    }
    for (const batch of batches) {
      if (this.leftOut !== null) return;
      this.#cells = fill(this.#columns, batch, this.#cells);
    }
  }

  get columns(): readonly string[] {
    return this.#names;
  }

  /** How many rows are whole by now. */
  get rowCount(): number {
    return Math.min(this.#maxRows, this.#wholeRows());
  }

  /** The limit beyond which rows are left out; null while none is reached. */
  get leftOut(): 'rows' | 'bytes' | null {
    if (this.#wholeRows() > this.#maxRows) return 'rows';
    const bytes = this.#columns.reduce((sum, column) => sum + column.keptBytes, 0);
    return bytes > this.#maxBytes ? 'bytes' : null;
  }

  #wholeRows(): number {
    return this.#names.length === 0 ? 0 : Math.floor(this.#cells / this.#names.length);
  }

  cell(row: number, column: number): Cell {
    const found = this.#columns[column];
    if (found === undefined || row < 0 || row >= this.rowCount) {
      throw new RangeError(`no cell in row ${row}, column ${column}`);
    }
    return found.cell(row);
  }

  numbers(name: string): Float64Array {
    const column = this.#named(name);
    const numbers = new Float64Array(this.rowCount);
    for (let row = 0; row < numbers.length; row++) {
      const cell = column.cell(row);
      if (cell !== null && typeof cell !== 'number' && typeof cell !== 'bigint')
        throw new TypeError(`column "${name}" holds not only numbers`);
      numbers[row] = cell === null ? NaN : Number(cell);
    }
    return numbers;
  }

  strings(name: string): readonly (string | null)[] {
    const column = this.#named(name);
    return Array.from({ length: this.rowCount }, (_, row) => {
      const cell = column.cell(row);
      if (cell === null || typeof cell === 'string') return cell;
      throw new TypeError(`column "${name}" holds not only text`);
    });
  }

  *rows(): IterableIterator<Row> {
    for (let row = 0; row < this.rowCount; row++) {
      yield Object.fromEntries(this.#columns.map((column) => [column.name, column.cell(row)]));
    }
  }

  #named(name: string): GrowingColumn {
    const found = this.#columns.find((column) => column.name === name);
    if (found === undefined) throw new TypeError(`no column "${name}" among ${this.#names.join(', ')}`);
    return found;
  }
}

/** Numbers, and places in `#others` where a cell is none. */
class GrowingColumn implements CellSink {
  readonly name: string;
  readonly #numbers: Float64Array[] = [];
  /** The {@link KIND} of each cell of a chunk; null where all are numbers. */
  readonly #kinds: (Uint8Array | null)[] = [];
  readonly #others: Exclude<Cell, number | null>[] = [];
  readonly #places = new Map<string, number>();
  /** What texts (2 bytes a UTF-16 unit) and blobs take. */
  keptBytes = 0;

  constructor(name: string) {
    this.name = name;
  }

  putNumber(row: number, value: number | bigint): void {
    if (typeof value === 'bigint') this.#putOther(row, KIND.integer, this.#others.push(value) - 1);
    else this.#chunk(row)[row % CHUNK_ROWS] = value;
  }

  put(row: number, kind: 'number' | 'text' | 'blob', value: Cell): void {
    if (typeof value === 'string') this.#putOther(row, KIND.text, this.#placeOf(value));
    // A copy, since the bytes are a part of the whole message.
    else if (value instanceof Uint8Array) {
      this.keptBytes += value.length;
      this.#putOther(row, KIND.blob, this.#others.push(value.slice()) - 1);
    } else if (kind === 'number' && value !== null) this.putNumber(row, value);
  }

  cell(row: number): Cell {
    const chunk = Math.floor(row / CHUNK_ROWS);
    const at = row % CHUNK_ROWS;
    const number = this.#numbers[chunk]?.[at];
    // SQLite has no NaN: it stands for null.
    if (number === undefined || Number.isNaN(number)) return null;
    const kind = this.#kinds[chunk]?.[at] ?? KIND.number;
    return kind === KIND.number ? number : (this.#others[number] ?? null);
  }

  #placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.#others.push(text) - 1;
    this.keptBytes += 2 * text.length;
    if (this.#places.size < SHARED_TEXTS_MAX) this.#places.set(text, place);
    return place;
  }

  #putOther(row: number, kind: number, place: number): void {
    this.#chunk(row)[row % CHUNK_ROWS] = place;
    const chunk = Math.floor(row / CHUNK_ROWS);
    const kinds = (this.#kinds[chunk] ??= new Uint8Array(CHUNK_ROWS));
    kinds[row % CHUNK_ROWS] = kind;
  }

  #chunk(row: number): Float64Array {
    const chunk = Math.floor(row / CHUNK_ROWS);
    return (this.#numbers[chunk] ??= new Float64Array(CHUNK_ROWS).fill(NaN));
  }
}

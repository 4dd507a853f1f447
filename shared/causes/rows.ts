import { grown, numberAt, textAt, type Batch, type NumberValues, type Values } from '../tables/index.ts';

/** Which of the rows of a table go under each key: those of key `k` stand in `members` from `offsets[k]` on. */
interface Groups {
  readonly offsets: Uint32Array;
  readonly members: Uint32Array;
}

const NO_ROWS = new Uint32Array(0);

/** Numbers of picked rows: in 32 bits each where these hold all of them exactly, and NaN. */
export type RowNumbers = Float32Array | Float64Array;

/** Whole numbers up to this are exact in 32 bits. */
const EXACT_MAX = 2 ** 24;
/** Columns of more rows than this are held in 32 bits where they can: to look at each number takes longer than to copy them all. */
const WIDE_ROWS_MAX = 1 << 20;
/** So many keys are looked for among all rows before these are grouped: many who read rows ask for those of one thread. */
const LOOKED_FOR_MAX = 4;

/** The rows of a batch that were picked: all from `first` on, or those of `rows`. */
interface Piece<C extends string> {
  /** Those that were not gathered yet. */
  readonly columns: Partial<Record<C, Values>>;
  /** How many rows come before. */
  readonly at: number;
  readonly first: number;
  readonly rows: Uint32Array | null;
  readonly count: number;
}

/** A column of picked rows. */
interface Column {
  readonly values: RowNumbers;
  /** What the values stand for, where they are of texts. */
  readonly texts: string[];
  readonly codes: Map<string, number>;
}

/** Memory of columns that serves one set of rows after another: nothing of the set before is read any more then. */
export class ColumnMemory {
  readonly #ofColumn = new Map<string, Float64Array>();

  /** Room for so many numbers of a column, whatever they are now. */
  take(name: string, count: number): Float64Array {
    let room = this.#ofColumn.get(name);
    if (room === undefined || room.length < count) {
      // One set of rows is about as long as the next one.
      room = new Float64Array(Math.ceil(1.25 * count));
      this.#ofColumn.set(name, room);
    }
    return room.subarray(0, count);
  }
}

/** Rows of a table that were picked from its batches, column by column. A number that is not there is NaN. */
export class Rows<C extends string> {
  readonly #names: readonly C[];
  readonly #memory: ColumnMemory | null;
  readonly #pieces: Piece<C>[] = [];
  /** The columns that were asked for. */
  readonly #columns = new Map<C, Column>();
  #count = 0;

  /** Rows of no columns but these. */
  constructor(names: readonly C[], memory: ColumnMemory | null = null) {
    [this.#names, this.#memory] = [names, memory];
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** Adds the first `picked` of the rows of a batch whose numbers are in `rows`, which ascend. Throws once a column was asked for. */
  append(batch: Batch<C>, rows: Uint32Array, picked: number): void {
    const [first = 0] = rows;
    // Mostly all rows up to a time are picked, and a few after it: the first are copied at once.
    const inTurn = firstWhere(picked, (at) => (rows[at] ?? 0) - first !== at);
    this.#add(batch, first, null, inTurn);
    this.#add(batch, first, rows.slice(inTurn, picked), picked - inTurn);
  }

  /** Adds the rows of a batch from `first` on. Throws once a column was asked for. */
  appendFrom(batch: Batch<C>, first: number): void {
    this.#add(batch, first, null, batch.rowCount - first);
  }

  #add({ columns }: Batch<C>, first: number, rows: Uint32Array | null, count: number): void {
    if (this.#columns.size > 0) throw new RangeError('rows are added before a column is asked for');
    if (count === 0) return;
    const held: Partial<Record<C, Values>> = {};
    for (const name of this.#names) held[name] = columns[name];
    this.#pieces.push({
      columns: held,
      at: this.#count,
      first,
      rows,
      count,
    });
    this.#count += count;
  }

  /** The values of a column; of a text its number, which {@link Rows.text} has the text of. */
  column(name: C): RowNumbers {
    return this.#gathered(name).values;
  }

  /** The number of a row; null where it has none. Of few rows this takes less than {@link Rows.column}. */
  number(name: C, row: number): number | null {
    const known = this.#columns.get(name);
    if (known === undefined) return this.#inPlace(name, row, numberAt);
    const value = known.values[row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  }

  /** The text of a row; null where it has none. */
  text(name: C, row: number): string | null {
    const known = this.#columns.get(name);
    return known === undefined
      ? this.#inPlace(name, row, textAt)
      : (known.texts[known.values[row] ?? -1] ?? null);
  }

  /** The number of a text in a column; NaN where no row has it. */
  numberOf(name: C, text: string): number {
    return this.#gathered(name).codes.get(text) ?? NaN;
  }

  /** The rows by a column of small whole numbers, each in the order in which they were added. */
  by(name: C): (key: number) => Uint32Array {
    let groups: Groups | null = null;
    let lookedFor = 0;
    const found: Uint32Array[] = [];
    return (key) => {
      const known = found[key];
      if (known !== undefined) return known;
      if (groups === null && lookedFor++ < LOOKED_FOR_MAX)
        return (found[key] = rowsWith(this.column(name), key));
      const { offsets, members } = (groups ??= groupsOf(this.column(name)));
      const first = offsets[key];
      if (first === undefined) return NO_ROWS;
      return (found[key] = members.subarray(first, offsets[key + 1] ?? first));
    };
  }

  /** What a row has in the batch that it is of. */
  #inPlace<T>(name: C, row: number, valueAt: (values: Values, row: number) => T | null): T | null {
    if (!(row >= 0 && row < this.#count)) return null;
    const after = firstWhere(this.#pieces.length, (number) => (this.#pieces[number]?.at ?? 0) > row);
    const piece = this.#pieces[after - 1];
    const values = piece?.columns[name];
    if (piece === undefined || values === undefined) return null;
    const index = row - piece.at;
    return valueAt(values, piece.rows?.[index] ?? piece.first + index);
  }

  #doubles(name: C): Float64Array {
    return this.#memory === null ? new Float64Array(this.#count) : this.#memory.take(name, this.#count);
  }

  #gathered(name: C): Column {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const isExact =
      this.#count > WIDE_ROWS_MAX &&
      this.#pieces.every((piece) => isExactIn32Bits(piece.columns[name]?.values, piece));
    const values = isExact ? new Float32Array(this.#count) : this.#doubles(name);
    const column: Column = { values, texts: [], codes: new Map() };
    for (const piece of this.#pieces) {
      const values = piece.columns[name];
      const { at, count } = piece;
      if (values !== undefined) copy(values, piece, column, column.values.subarray(at, at + count));
      // What is gathered is held once: there can be tens of millions of rows.
      piece.columns[name] = undefined;
    }
    this.#columns.set(name, column);
    return column;
  }
}

function isExactIn32Bits<C extends string>(
  values: NumberValues | undefined,
  { first, rows, count }: Piece<C>,
): boolean {
  if (values === undefined) return true;
  if (values instanceof Float64Array) return false;
  if (values.BYTES_PER_ELEMENT < 4) return true;
  // Of the picked rows alone: few may be of a batch of many.
  for (let index = 0; index < count; index++)
    if (Math.abs(values[rows?.[index] ?? first + index] ?? 0) > EXACT_MAX) return false;
  return true;
}

/** Copies rows of a batch into their place in a column. Mostly all rows of a batch are picked: these are copied at once. */
function copy<C extends string>(
  { values, present, texts }: Values,
  { first, rows, count }: Piece<C>,
  column: Column,
  into: RowNumbers,
): void {
  if (rows === null) into.set(values.subarray(first, first + count));
  else pick(values, rows, count, into);
  const codes = texts?.map((text) => codeOf(column, text));
  if (codes?.some((code, number) => code !== number)) recode(codes, count, into);
  if (present === null) return;
  if (rows === null) blank(present.subarray(first, first + count), into);
  else blankPicked(present, rows, count, into);
}

// Loops of their own: code that goes on after a loop would be given up at the end of each loop.

function pick(values: NumberValues, rows: Uint32Array, count: number, into: RowNumbers): void {
  for (let index = 0; index < count; index++) into[index] = values[rows[index] ?? 0] ?? NaN;
}

function recode(codes: readonly number[], count: number, into: RowNumbers): void {
  for (let index = 0; index < count; index++) into[index] = codes[into[index] ?? -1] ?? NaN;
}

function blank(present: Uint8Array, into: RowNumbers): void {
  for (let index = 0; index < present.length; index++) if (present[index] === 0) into[index] = NaN;
}

function blankPicked(present: Uint8Array, rows: Uint32Array, count: number, into: RowNumbers): void {
  for (let index = 0; index < count; index++) if (present[rows[index] ?? 0] === 0) into[index] = NaN;
}

function codeOf({ texts, codes }: Column, text: string): number {
  const known = codes.get(text);
  if (known !== undefined) return known;
  const code = texts.push(text) - 1;
  codes.set(text, code);
  return code;
}

function rowsWith(keys: RowNumbers, key: number): Uint32Array {
  const rows: number[] = [];
  for (let row = keys.indexOf(key); row >= 0; row = keys.indexOf(key, row + 1)) rows.push(row);
  return Uint32Array.from(rows);
}

function groupsOf(keys: RowNumbers): Groups {
  let offsets = new Uint32Array(1 << 8);
  for (let row = 0; row < keys.length; row++) {
    const after = (keys[row] ?? 0) + 1;
    if (after >= offsets.length) offsets = grown(offsets, new Uint32Array(2 * after));
    offsets[after] = (offsets[after] ?? 0) + 1;
  }
  for (let key = 1; key < offsets.length; key++) offsets[key] = (offsets[key] ?? 0) + (offsets[key - 1] ?? 0);
  const filled = offsets.slice();
  const members = new Uint32Array(keys.length);
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] ?? 0;
    const place = filled[key] ?? 0;
    members[place] = row;
    filled[key] = place + 1;
  }
  return { offsets, members };
}

/** How many keys there are up to the largest: whole numbers from 0 on. */
export function countOfKeys(keys: RowNumbers): number {
  let most = 0;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row] ?? 0;
    if (key > most) most = key;
  }
  return most + 1;
}

/** The first of so many places for which something is true that is true of all after it; `count` if there is none. */
export function firstWhere(count: number, isTrue: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many of some rows, in the order of a column, have a value below `limit` in it. */
export function countBelow(rows: Uint32Array, column: RowNumbers, limit: number): number {
  return firstWhere(rows.length, (at) => !((column[rows[at] ?? 0] ?? 0) < limit));
}

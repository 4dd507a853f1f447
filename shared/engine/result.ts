/** One value of a result. A `bigint` only beyond ±2^53, where a number would lose digits. */
export type Cell = number | bigint | string | Uint8Array | null;

/** One row by column name. */
export type Row = Readonly<Record<string, Cell>>;

/** The rows of a query, column by column. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rowCount: number;
  /** The cell of a row (from 0) and column (from 0). */
  cell(row: number, column: number): Cell;
  /** A whole numeric column as doubles, null as NaN. Throws if the column is missing or holds text or blobs. */
  numbers(column: string): Float64Array;
  /** A whole text column. Throws if the column is missing or holds numbers or blobs. */
  strings(column: string): readonly (string | null)[];
  /** Row objects, in order. */
  rows(): IterableIterator<Row>;
}

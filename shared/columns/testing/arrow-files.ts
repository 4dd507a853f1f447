/** Arrow files for tests, written by apache-arrow's own writer. */
import {
  Bool,
  Dictionary,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  vectorFromArray,
  Field,
  makeData,
  type DataType,
} from 'apache-arrow';
import { KEY_METADATA } from '../arrow-table.ts';

/** The types of columns that can be read, by a name. A dictionary is its own in each table. */
export const TYPES = {
  int8: () => new Int8(),
  int16: () => new Int16(),
  int32: () => new Int32(),
  int64: () => new Int64(),
  uint8: () => new Uint8(),
  uint16: () => new Uint16(),
  uint32: () => new Uint32(),
  uint64: () => new Uint64(),
  float64: () => new Float64(),
  utf8: () => new Utf8(),
  bool: () => new Bool(),
  dictionary8: () => new Dictionary(new Utf8(), new Int8()),
  dictionary16: () => new Dictionary(new Utf8(), new Int16()),
  dictionary32: () => new Dictionary(new Utf8(), new Int32()),
} satisfies Record<string, () => DataType>;

export type TypeName = keyof typeof TYPES;

/** A value of a column: a bigint for the types of 64 bits. */
export type Value = number | bigint | string | boolean | null;

/** A table of a test: columns by name, each with its type; rows as arrays of values. */
export interface TestTable {
  readonly columns: Readonly<Record<string, TypeName>>;
  readonly rows: readonly (readonly Value[])[];
  readonly key?: string;
  /** Rows of a batch; all of them in one if absent. */
  readonly batchRows?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The bytes of an Arrow IPC file. */
export function arrowFile({ columns, rows, key, batchRows, metadata = {} }: TestTable): Uint8Array {
  const types = Object.values(columns).map((name) => TYPES[name]());
  const schema = new Schema(
    Object.keys(columns).map((name, i) => Field.new({ name, type: types[i] as DataType, nullable: true })),
    new Map([...Object.entries(metadata), ...(key === undefined ? [] : [[KEY_METADATA, key] as const])]),
  );
  // Columns are made whole, then cut: batches share a dictionary.
  const whole = types.map((type, i) =>
    vectorFromArray(
      rows.map((row) => row[i] ?? null),
      type,
    ),
  );
  const length = batchRows ?? Math.max(rows.length, 1);
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  for (let from = 0; from < Math.max(rows.length, 1); from += length) {
    const children = whole.map((vector) => {
      const [data] = vector.slice(from, from + length).data;
      if (data === undefined) throw new Error('a vector without data');
      return data;
    });
    const count = Math.max(Math.min(length, rows.length - from), 0);
    writer.write(
      new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: count, children })),
    );
  }
  writer.finish();
  return writer.toUint8Array(true);
}

/** The rows of a table as SQL gives them: numbers where they are exact, the sign of a uint64 lost, NaN null. */
export function sqlRows({ columns, rows }: TestTable): Record<string, number | bigint | string | null>[] {
  const names = Object.keys(columns);
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, sqlValue(row[i] ?? null)])));
}

function sqlValue(value: Value): number | bigint | string | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  if (typeof value !== 'bigint') return value;
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

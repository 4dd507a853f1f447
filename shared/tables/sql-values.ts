import type { QueryResult } from '../engine/index.ts';
import type { NumberValues, Values } from './tables.ts';

/** A column of a result in as few bytes as it takes, its rows in an order of their numbers; null for that of the result. */
export function compactValues(rows: QueryResult, name: string, order: Uint32Array | null): Values {
  const column = rows.columns.indexOf(name);
  let [row, first] = [0, rows.rowCount === 0 ? null : rows.cell(0, column)];
  while (first === null && ++row < rows.rowCount) first = rows.cell(row, column);
  const { numbers, texts } =
    typeof first === 'string' ? codesOf(rows.strings(name)) : { numbers: rows.numbers(name), texts: null };
  const { kind, hasNone } = shapeOf(numbers);
  const values = new kind(numbers.length);
  const present = hasNone ? new Uint8Array(numbers.length) : null;
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[order?.[place] ?? place] ?? NaN;
    if (Number.isNaN(number)) continue;
    values[place] = number;
    if (present !== null) present[place] = 1;
  }
  const exact = typeof first === 'bigint' && rows.rowCount === 1 ? { exact: BigInt64Array.of(first) } : {};
  return { values, present, texts, ...exact };
}

/** Texts as numbers; NaN where there is none. */
function codesOf(of: readonly (string | null)[]): { numbers: Float64Array; texts: readonly string[] } {
  const known = new Map<string, number>();
  const numbers = new Float64Array(of.length);
  of.forEach((text, row) => {
    let code = text === null ? NaN : known.get(text);
    if (code === undefined) known.set(text ?? '', (code = known.size));
    numbers[row] = code;
  });
  return { numbers, texts: [...known.keys()] };
}

interface Shape {
  readonly kind: new (length: number) => NumberValues;
  /** Some rows have no number. */
  readonly hasNone: boolean;
}

function shapeOf(numbers: Float64Array): Shape {
  let [least, greatest, isWhole, hasNone] = [0, 0, true, false];
  for (const number of numbers) {
    if (Number.isNaN(number)) hasNone = true;
    else if (number < least) least = number;
    else if (number > greatest) greatest = number;
    if (isWhole && !Number.isNaN(number) && !Number.isInteger(number)) isWhole = false;
  }
  const kind = isWhole ? KINDS.find((of) => least >= of.least && greatest <= of.greatest)?.kind : undefined;
  return { kind: kind ?? Float64Array, hasNone };
}

/** Kinds of whole numbers, the smallest first. */
const KINDS = [
  { kind: Uint8Array, least: 0, greatest: 2 ** 8 - 1 },
  { kind: Int8Array, least: -(2 ** 7), greatest: 2 ** 7 - 1 },
  { kind: Uint16Array, least: 0, greatest: 2 ** 16 - 1 },
  { kind: Int16Array, least: -(2 ** 15), greatest: 2 ** 15 - 1 },
  { kind: Uint32Array, least: 0, greatest: 2 ** 32 - 1 },
  { kind: Int32Array, least: -(2 ** 31), greatest: 2 ** 31 - 1 },
] as const;

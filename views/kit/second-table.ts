import type { Cell } from '../../shared/engine/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';

/** Columns of ids, which tell nothing in another recording. */
const IDS: ReadonlySet<string> = new Set(['pid', 'tid', 'ids', 'handle']);
/** Numbers by which rows are known, where no text tells what they are. */
const NUMBER_KEYS: ReadonlySet<string> = new Set(['rank', 'priority', 'from_ns', 'to_ns']);
/** Times that tell where a measure comes from. Of all others a row is a moment, which no other recording has. */
const TIMES_OF_MEASURES: ReadonlySet<string> = new Set(['longest_ts', 'first_ts']);
/** So many columns of text tell what a row is, at most. */
const MOST_KEYS = 3;

/** What stands behind the name of a column for what it is in B, and for how much more that is. */
export const SECOND = { b: '_b', change: '_change' } as const;

/**
 * A table with what the same table of another recording, B, has as second columns; null where rows of the two cannot be the same. Rows of
 * A come first, as they are; then those that B alone has. Rows that are called alike are taken in their order. `inA` tells how a name of
 * B reads in A.
 */
export function joinTables(
  a: ViewTable,
  b: ViewTable,
  inA: (name: string) => string = (name) => name,
): ViewTable | null {
  const isMoment = ({ kind, name }: ViewColumn) => kind === 'time_ns' && !TIMES_OF_MEASURES.has(name);
  if (a.columns.some(isMoment)) return null;
  const places = a.columns.map(({ name }) => b.columns.findIndex((column) => column.name === name));
  const isKey = ({ kind, name }: ViewColumn) => kind === 'text' && !IDS.has(name);
  const texts = a.columns.flatMap((column, at) => (isKey(column) ? [at] : []));
  const numbers = a.columns.flatMap(({ name }, at) => (NUMBER_KEYS.has(name) ? [at] : []));
  const isMeasure = ({ kind, name }: ViewColumn) =>
    kind !== 'text' && kind !== 'time_ns' && !(texts.length === 0 && NUMBER_KEYS.has(name));
  const measures = new Set(a.columns.flatMap((column, at) => (isMeasure(column) ? [at] : [])));
  // Names and values: what stands in the place of a measure is text.
  if (measures.size === 0 && a.columns.length === 2 && texts.length === 2) measures.add(1);
  const keys = texts.filter((at) => !measures.has(at));
  if (measures.size === 0 || (keys.length === 0 && numbers.length === 0 && a.rows.length !== 1)) return null;

  const cellOfB = (row: readonly Cell[] | undefined, at: number): Cell => row?.[places[at] ?? -1] ?? null;
  const rowsOfB = b.rows.map((row) => a.columns.map((_, at) => cellOfB(row, at)));
  // Rows are paired by what B's names read in A; what is shown of a row of B alone is its own.
  const named = new Map<readonly Cell[], readonly Cell[]>(
    rowsOfB.map((row) => [row.map((cell) => (typeof cell === 'string' ? inA(cell) : cell)), row] as const),
  );
  const namedRows = [...named.keys()];
  const pairs = keys.length === 0 ? pairBy(a.rows, namedRows, numbers) : pairByText(a.rows, namedRows, keys);
  if (a.rows.length > 0 && namedRows.length > 0 && pairs.every(([x, y]) => x === null || y === null))
    return null;
  const [first = -1] = measures;
  const isNumber = (at: number) => a.columns[at]?.kind !== 'text';
  return {
    title: a.title,
    columns: a.columns.flatMap((column, at) =>
      measures.has(at) ? [column, ...secondColumns(column, at === first && isNumber(at))] : [column],
    ),
    rows: pairs.map(([x, ofB]) => {
      const y = ofB === null ? null : named.get(ofB);
      return a.columns.flatMap((_, at): Cell[] => {
        const own = x?.[at] ?? null;
        if (!measures.has(at)) return [x === null ? (y?.[at] ?? null) : own];
        const other = y?.[at] ?? null;
        return at === first && isNumber(at) ? [own, other, changeOf(own, other)] : [own, other];
      });
    }),
  };
}

function secondColumns({ name, title, help, kind }: ViewColumn, isFirst: boolean): ViewColumn[] {
  const b: ViewColumn = {
    name: name + SECOND.b,
    title: `B: ${title}`,
    kind,
    help: `The same in B. ${help} –: B has no such row, or does not list it.`,
  };
  const change: ViewColumn = {
    name: name + SECOND.change,
    title: 'B − A',
    kind,
    help: `${title} in B less that in A, as recorded. –: one of them is not known.`,
  };
  return isFirst ? [b, change] : [b];
}

function changeOf(a: Cell, b: Cell): Cell {
  return typeof a === 'number' && typeof b === 'number' ? b - a : null;
}

type Rows = readonly (readonly Cell[])[];
type Pair = readonly [a: readonly Cell[] | null, b: readonly Cell[] | null];

/** Pairs by the fewest columns that tell rows apart, where these are on both sides; else by the first alone. */
function pairByText(a: Rows, b: Rows, texts: readonly number[]): readonly Pair[] {
  const byFirst = pairBy(a, b, texts.slice(0, 1));
  const found = (pairs: readonly Pair[]) => pairs.filter(([x, y]) => x !== null && y !== null).length;
  for (let count = 1; count <= Math.min(MOST_KEYS, texts.length); count++) {
    const keys = texts.slice(0, count);
    if (!areUnique(a, keys) || !areUnique(b, keys)) continue;
    const pairs = count === 1 ? byFirst : pairBy(a, b, keys);
    if (2 * found(pairs) >= found(byFirst)) return pairs;
  }
  return byFirst;
}

function pairBy(a: Rows, b: Rows, keys: readonly number[]): readonly Pair[] {
  const left = new Map<string, (readonly Cell[])[]>();
  for (const row of b) {
    const key = keyOf(row, keys);
    const alike = left.get(key);
    if (alike === undefined) left.set(key, [row]);
    else alike.push(row);
  }
  const ofA = a.map((row): Pair => [row, left.get(keyOf(row, keys))?.shift() ?? null]);
  const taken = new Set(ofA.map(([, row]) => row));
  return [...ofA, ...b.filter((row) => !taken.has(row)).map((row): Pair => [null, row])];
}

function areUnique(rows: Rows, keys: readonly number[]): boolean {
  return new Set(rows.map((row) => keyOf(row, keys))).size === rows.length;
}

function keyOf(row: readonly Cell[], keys: readonly number[]): string {
  return JSON.stringify(keys.map((at) => withoutIds(String(row[at] ?? ''))));
}

/** A name as another recording may have it: without the ids of processes and threads. */
function withoutIds(name: string): string {
  return name.replaceAll(/\b([pt]id) \d+/g, '$1').toLowerCase();
}

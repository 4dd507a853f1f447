import { oncePerTrace, type Query } from '../engine/index.ts';
import countedSql from './counted.sql';
import namesSql from './counter-names.sql';

/** What one counter counted in some runs of a thread at one priority and rank. */
export interface CountedRow {
  readonly utid: number;
  readonly priority: number;
  /** Null: not recorded. */
  readonly rank: number | null;
  /** The counter's place among the names. */
  readonly place: number;
  readonly counted: number;
}

/** What hardware counters counted. */
export interface Counted {
  /** What each counter counts; none where no counters were recorded. */
  readonly names: readonly string[];
  readonly rows: readonly CountedRow[];
}

/** The names of the counters of a trace; they do not change. */
const loadNames = oncePerTrace(async (query): Promise<readonly string[]> => {
  const rows = (await query(namesSql)).rows();
  return [...rows].map(({ name }) => String(name));
});

/** What was counted in the runs that ended in a range; the idle threads' are left out. */
export async function loadCounted(query: Query, range_start: number, range_end: number): Promise<Counted> {
  const names = await loadNames(query);
  if (names.length === 0) return { names, rows: [] };
  const rows = (await query(countedSql, { range_start, range_end })).rows();
  return {
    names,
    rows: [...rows].map(({ utid, priority, rank, place, counted }) => ({
      utid: Number(utid),
      priority: Number(priority),
      rank: rank === null || rank === undefined ? null : Number(rank),
      place: Number(place),
      counted: Number(counted),
    })),
  };
}

/** Sums of the counters by a key of the rows, each with a place for every name; null where nothing was counted. */
export function sumCounted<Key>(
  { names, rows }: Counted,
  keyOf: (row: CountedRow) => Key | null,
): (key: Key) => readonly (number | null)[] {
  const sums = new Map<Key, (number | null)[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const sum = sums.get(key) ?? names.map(() => null);
    sums.set(key, sum);
    sum[row.place] = (sum[row.place] ?? 0) + row.counted;
  }
  return (key) => sums.get(key) ?? names.map(() => null);
}

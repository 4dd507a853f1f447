import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, numberAt, PairNumbers, readRows, type Batch, type Stretch } from '../tables/index.ts';

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

/** What was counted last, by trace: another grouping or filter needs no more. */
const keepCounted = keepLast<Counted>();

/** What was counted in the runs that ended in a range; the idle threads' are left out. */
export function loadCounted(query: Query, range_start: number, range_end: number): Promise<Counted> {
  return keepCounted(query, `${range_start} ${range_end}`, async () => {
    const { tables } = dataOf(query);
    const sources = await readRows(tables, 'etw_counter_source', ['counter', 'name']);
    const sums = new SumsOfRuns(sources.map(({ counter }) => Number(counter)));
    const range = { start: range_start, end: range_end };
    if (sources.length > 0)
      for await (const batch of tables.batches('etw_run_counter', COLUMNS, range, 'once'))
        sums.add(batch, range);
    return { names: sources.map(({ name }) => String(name)), rows: sums.rows() };
  });
}

const IDLE_UTID = 0;
const COLUMNS = ['te', 'utid', 'priority', 'rank', 'counter', 'counted'] as const;

/** Besides its thread, a sum has a number. Its bits are the priority, then the rank plus one, then the counter's place. */
const PLACE_BITS = 3;
const RANK_BITS = 9;

/** What was counted, by thread, priority, rank and counter. */
class SumsOfRuns {
  readonly #places: ReadonlyMap<number, number>;
  readonly #kinds = new PairNumbers();
  readonly #counted: number[] = [];

  /** Of these counters, by their numbers. */
  constructor(counters: readonly number[]) {
    this.#places = new Map(counters.map((counter, place) => [counter, place]));
  }

  /** Adds the runs that ended in a range. */
  add({ rowCount, columns }: Batch<(typeof COLUMNS)[number]>, { start, end }: Stretch): void {
    const { te, utid, priority, rank, counter, counted } = columns;
    for (let row = 0; row < rowCount; row++) {
      const ended = te.values[row] ?? 0;
      const thread = utid.values[row] ?? 0;
      const place = this.#places.get(counter.values[row] ?? 0);
      if (ended <= start || ended > end || thread === IDLE_UTID || place === undefined) continue;
      const ranked = ((priority.values[row] ?? 0) << RANK_BITS) | ((numberAt(rank, row) ?? -1) + 1);
      const kind = this.#kinds.of(thread, (ranked << PLACE_BITS) | place);
      this.#counted[kind] = (this.#counted[kind] ?? 0) + (counted.values[row] ?? 0);
    }
  }

  rows(): readonly CountedRow[] {
    return this.#counted.map((counted, kind) => {
      const of = this.#kinds.second(kind);
      const rank = ((of >> PLACE_BITS) & ((1 << RANK_BITS) - 1)) - 1;
      return {
        utid: this.#kinds.first(kind) >>> 0,
        priority: of >> (PLACE_BITS + RANK_BITS),
        rank: rank < 0 ? null : rank,
        place: of & ((1 << PLACE_BITS) - 1),
        counted,
      };
    });
  }
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

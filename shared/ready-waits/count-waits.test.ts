import { expect, test } from 'vitest';
import type {
  Batch,
  BatchTimes,
  FirstRows,
  ReadHow,
  Stretch,
  TableName,
  Tables,
  Values,
} from '../tables/index.ts';
import { rowsIn, touchedBatches, touchedBy } from '../tables/touched-batches.ts';
import type { ThreadName } from '../threads/index.ts';
import { NONE_JUDGED, type JudgedRanks } from '../why-late/columns/index.ts';
import { binOf } from './bin-of.ts';
import { counted } from './count-waits.ts';
import { GatheredBatches } from './gathered-batches.ts';
import type { WaitFilters } from './pick-waits.ts';
import { readWaits } from './read-waits.ts';
import { sumShown } from './summarise.ts';
import { WAIT_COLUMNS } from './wait-rows.ts';

interface Wait {
  readonly ts: number;
  readonly te: number;
  readonly utid: number;
  readonly rank: number;
}

const LONGEST = 20;
const STRETCH_WAITS = 40;
const BATCH_ROWS = 16;

let seed = 7;
const chance = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;

/** In the order of their ends: some end at one time, some have no length. */
const waits: readonly Wait[] = Array.from({ length: 300 }, () => {
  const te = 1_000 + 10 * chance(2_000);
  return { ts: te - (chance(5) === 0 ? 0 : chance(900)), te, utid: chance(6), rank: chance(2) };
}).sort((a, b) => a.te - b.te);
const lengthOf = ({ ts, te }: Wait) => te - ts;
const long = new Set([...waits].sort((a, b) => lengthOf(b) - lengthOf(a)).slice(0, LONGEST));

/** Of each stretch when it begins and ends: what ends at one time is in one stretch. */
const stretches: readonly Stretch[] = Array.from({ length: 7 }, (_, at) => ({
  start: at === 0 ? (waits[0]?.te ?? 0) - 1 : (waits[at * STRETCH_WAITS]?.te ?? 0),
  end: waits[(at + 1) * STRETCH_WAITS]?.te ?? 0,
}));

/** A batch, and when its rows begin and end. */
interface TestBatch {
  readonly times: BatchTimes;
  readonly rowCount: number;
  readonly columns: Readonly<Record<string, Values>>;
}

const column = (numbers: readonly number[]): Values => ({
  values: Float64Array.from(numbers),
  present: null,
  texts: null,
});

function batchOf(rows: readonly Wait[], times: BatchTimes): TestBatch {
  const lengths = column(rows.map(lengthOf));
  return {
    times,
    rowCount: rows.length,
    columns: {
      ts: column(rows.map(({ ts }) => ts)),
      te: column(rows.map(({ te }) => te)),
      utid: column(rows.map(({ utid }) => utid)),
      rank: column(rows.map(({ rank }) => rank)),
      priority: column(rows.map(() => 8)),
      cause: { ...column(rows.map(() => 0)), texts: ['wake', 'preempted'] },
      bin: column(rows.map((wait) => binOf(lengthOf(wait)))),
      waits: column(rows.map(() => 1)),
      ...{ sum_ns: lengths, max_ns: lengths },
    },
  };
}

/** Batches of waits in the order of their ends. */
function batchesOf(of: readonly Wait[]): readonly TestBatch[] {
  return Array.from({ length: Math.ceil(of.length / BATCH_ROWS) }, (_, at) => {
    const own = of.slice(at * BATCH_ROWS, (at + 1) * BATCH_ROWS);
    const least_ns = Math.min(...own.map(({ ts }) => ts));
    return batchOf(own, { least_ns, greatest_ns: own.at(-1)?.te ?? 0 });
  });
}

/** All waits but the longest, each a count of its own: of a stretch a batch, and of several that follow one another. */
const counts = [...stretches, ...groupsOf(3), ...groupsOf(6)].map(({ start, end }) => {
  const own = waits.filter((wait) => !long.has(wait) && wait.te > start && wait.te <= end);
  return batchOf(own, { least_ns: start, greatest_ns: end });
});

function groupsOf(size: number): readonly Stretch[] {
  return stretches.flatMap(({ start }, at) => {
    const last = at % size === 0 ? stretches[at + size - 1] : undefined;
    return last === undefined ? [] : [{ start, end: last.end }];
  });
}

const BATCHES: Partial<Record<TableName, readonly TestBatch[]>> = {
  etw_ready_wait: batchesOf(waits),
  etw_ready_wait_long: batchesOf(waits.filter((wait) => long.has(wait))),
  etw_ready_wait_stretch: counts,
};

let batchesRead = 0;

/** They give the batches that are asked for, as those of files do. */
const tables: Tables = {
  rowCount: (table, range) => Promise.resolve(rowsIn(BATCHES[table] ?? [], range && touchedBy(range))),
  async *batches<C extends string>(
    table: TableName,
    names: readonly C[],
    range?: Stretch | readonly Stretch[],
    how?: ReadHow,
    leftOut?: FirstRows,
  ): AsyncIterable<Batch<C>> {
    const batches = BATCHES[table] ?? [];
    for (const number of touchedBatches(batches, range && touchedBy(range), how)) {
      const firstRow = BATCH_ROWS * number;
      if (leftOut?.has(firstRow) === true) continue;
      batchesRead++;
      const { times, rowCount, columns } = batches[number] ?? batchOf([], { least_ns: 0, greatest_ns: 0 });
      const of = Object.fromEntries(names.map((name) => [name, columns[name]])) as Record<C, Values>;
      yield await Promise.resolve({ firstRow, rowCount, times, columns: of });
    }
  },
};

const ALL: WaitFilters = {
  ...{ process: null, thread: null, cause: 'any', ranked_only: false },
  ...{ rank: null, priority: null },
};

const names = new Map(
  Array.from({ length: 6 }, (_, utid): [number, ThreadName] => [
    utid,
    { tid: utid, thread: null, upid: utid % 3, pid: utid % 3, process: null, services: null, service: null },
  ]),
);

test('waits of a range are the same where stretches of it are counted', async () => {
  const [longest] = [...long].filter(({ te }) => te > (stretches[2]?.end ?? 0));
  const judgement = {
    ...{ utid: longest?.utid ?? 0, ts: longest?.ts ?? 0, dur: 0, rank_before: 0, rank_after: 5, rank: 5 },
    ...{ before_explains_ns: 0, after_explains_ns: 0, put_aside_better: false },
  };
  const judged: JudgedRanks = {
    of: (utid, ts) => (utid === longest?.utid && ts === longest.ts ? judgement : NONE_JUDGED.of(utid, ts)),
  };
  const shown = async (hasColumns: boolean, range: Stretch) => {
    const read = await readWaits({ tables, hasColumns }, range, WAIT_COLUMNS);
    const all = await counted(read, names, judged);
    const { rising, total } = sumShown(all, ALL, 'process');
    const groups = (['process', 'thread', 'rank'] as const).map((by) => sumShown(all, ALL, by).groups);
    return { counts: all.counts.utid.length, sums: { rising, total, groups } };
  };
  let most = 0;
  const bounds = stretches.flatMap(({ start, end }) => [start - 1, start, end, end + 1, chance(20_000)]);
  for (const start of [0, ...bounds])
    for (const end of [...bounds, 30_000].filter((bound) => bound > start)) {
      const range = { start, end };
      const { counts, sums } = await shown(true, range);
      most = Math.max(most, counts);
      expect(sums, `${start} to ${end}`).toEqual((await shown(false, range)).sums);
    }
  expect(most).toBeGreaterThan(200);
});

test('a batch that lies in a range is gathered once, for all ranges', async () => {
  const gathered = new GatheredBatches();
  const shown = async (range: Stretch, known?: GatheredBatches) => {
    const before = batchesRead;
    const read = await readWaits({ tables, hasColumns: false }, range, WAIT_COLUMNS);
    const all = await counted(read, names, NONE_JUDGED, known);
    const { groups, rising } = sumShown(all, ALL, 'thread');
    return { batches: batchesRead - before, sums: { groups, rising } };
  };
  const whole = { start: 0, end: 30_000 };
  expect((await shown(whole, gathered)).batches).toBe(19);
  expect((await shown(whole, gathered)).batches).toBe(0);
  let fewer = 0;
  for (let round = 0; round < 100; round++) {
    const start = chance(15_000);
    const range = { start, end: start + chance(15_000) };
    const [fresh, known] = [await shown(range), await shown(range, gathered)];
    expect(known.sums, `${range.start} to ${range.end}`).toEqual(fresh.sums);
    fewer += fresh.batches - known.batches;
  }
  expect(fewer).toBeGreaterThan(300);
});

test('what is counted of a range is each wait once, in as few batches as there are', async () => {
  const [first, last] = [stretches[0]?.start ?? 0, stretches[6]?.end ?? 0];
  const { counts } = await readWaits(
    { tables, hasColumns: true },
    { start: first, end: last + 1 },
    WAIT_COLUMNS,
  );
  expect(counts.map(({ times }) => times)).toEqual(
    [
      { start: stretches[6]?.start, end: last },
      { start: first, end: stretches[5]?.end },
    ].map(({ start, end }) => ({ least_ns: start, greatest_ns: end })),
  );
});

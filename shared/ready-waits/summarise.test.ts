import { expect, test } from 'vitest';
import { BinSums, type WaitSummary } from './bin-sums.ts';
import type { CountedWaits } from './count-waits.ts';
import { pickWaits, type GroupBy, type WaitFilters } from './pick-waits.ts';
import { countFrom, lengthOfLongest, sumShown } from './summarise.ts';
import type { WaitKeys } from './wait-bins.ts';
import { waitKey } from './wait-key.ts';

type Wait = readonly [utid: number, rank: number | null, priority: number, preempted: 0 | 1, dur: number];

const ALL: WaitFilters = {
  ...{ process: null, thread: null, cause: 'any', ranked_only: false },
  ...{ rank: null, priority: null },
};

/** The codes of processes by thread: one more than their keys. */
const PROCESS_CODES = [0, 2, 3, 3];
/** Waits in two batches. */
function batchesOf(waits: readonly Wait[]): readonly (readonly Wait[])[] {
  const half = waits.length >> 1;
  return [waits.slice(0, half), waits.slice(half)];
}

/** Waits in the order of their processes: a row each, but for some of which so many are alike. */
function list(waits: readonly Wait[], alike: ReadonlyMap<Wait, number> = new Map()): CountedWaits {
  const [rows, counts] = [waits.filter((wait) => !alike.has(wait)), waits.filter((wait) => alike.has(wait))];
  const countOf = (wait: Wait) => alike.get(wait) ?? 0;
  return {
    rows: batchesOf(rows).map((batch) => ({
      ...keysOf(batch),
      dur_ns: Float64Array.from(batch, ([, , , , dur]) => dur),
    })),
    counts: {
      ...keysOf(counts),
      waits: Uint32Array.from(counts, countOf),
      sum_ns: Float64Array.from(counts, (wait) => countOf(wait) * wait[4]),
      max_ns: Float64Array.from(counts, ([, , , , dur]) => dur),
    },
    names: new Map([
      [
        1,
        {
          tid: 11,
          thread: 'Lock worker',
          upid: 1,
          pid: 10,
          process: 'LockApp.exe',
          services: null,
          service: null,
        },
      ],
      [2, { tid: 21, thread: null, upid: 2, pid: 20, process: 'svchost.exe', services: null, service: null }],
      [3, { tid: 22, thread: null, upid: 2, pid: 20, process: 'svchost.exe', services: null, service: null }],
    ]),
  };
}

function keysOf(waits: readonly Wait[]): WaitKeys {
  const codes = waits.map(([utid]) => PROCESS_CODES[utid] ?? 0);
  const bin = (dur: number) => Math.floor(Math.log10(Math.max(dur, 100)) * 100 + 1e-9);
  return {
    utid: Uint32Array.from(waits, ([utid]) => utid),
    key: Uint32Array.from(waits, ([, rank, priority, preempted, dur]) =>
      waitKey(rank === null ? 0 : rank + 1, priority + 1, preempted, bin(dur)),
    ),
    byProcess: {
      starts: Uint32Array.from(waits, (_, row) => row),
      ends: Uint32Array.from(waits, (_, row) => row + 1),
      pieceEnds: Uint32Array.from([0, 1, 2, 3], (last) => codes.filter((code) => code <= last).length),
    },
  };
}

const few: readonly Wait[] = [
  [1, 2, 14, 0, 19_493_000_000],
  [1, 2, 13, 1, 1_000_000],
  [2, 0, 8, 0, 1_005_000],
  [2, 0, 8, 0, 1_020_000],
  [3, null, 8, 0, 2_000_000],
];
const small = list(few);
const all = sumShown(small, ALL, 'process');

/** What is summed of some waits of one batch. */
function summarise(waits: readonly Wait[]): WaitSummary {
  const sums = new BinSums();
  const rows = { ...keysOf(waits), dur_ns: Float64Array.from(waits, ([, , , , dur]) => dur) };
  sums.addRows(rows, Uint32Array.from(waits.keys()), { from: 0, to: waits.length });
  return sums.summary();
}

test('percentiles are waits that occurred: the longest of the bin in which they lie', () => {
  expect(all.total).toEqual({
    count: 5,
    sum_ns: 19_498_025_000,
    p50_ns: 1_020_000,
    p90_ns: 19_493_000_000,
    p99_ns: 19_493_000_000,
    max_ns: 19_493_000_000,
    above_p99_ns: 0,
  });
  const none = { count: 0, sum_ns: 0, p50_ns: 0, p90_ns: 0, p99_ns: 0, max_ns: 0, above_p99_ns: 0 };
  expect(sumShown(small, { ...ALL, rank: 7 }, 'thread').total).toEqual(none);
});

test('bins tell how many waits are so long, but where one bin may hold shorter ones too', () => {
  // 1 ms, 1.005 ms and 1.02 ms lie in one bin.
  expect([0, 1_000_000, 2_000_001, 20_000_000_000].map((ns) => countFrom(small, all, ns))).toEqual([
    5, 5, 1, 0,
  ]);
  const alike = list(few, new Map(few.slice(2, 3).map((wait) => [wait, 2])));
  const shown = sumShown(alike, ALL, 'rank');
  expect(countFrom(alike, shown, 1_000_000)).toBe(6);
  expect(countFrom(alike, shown, 1_001_000)).toBe(null);
  expect(countFrom(alike, shown, 1_005_001)).toBe(3);
});

test('percentiles are at most 2.4 % too high, sums above p99 what the waits above it are, in every group', () => {
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const waits = Array.from({ length: 30_000 }, (): Wait => {
    const utid = 1 + Math.floor(random() * 3);
    return [
      utid,
      utid - 1,
      8 + Math.floor(random() * 3),
      0,
      Math.round(100 * 10 ** (random() * random() * 8)),
    ];
  }).sort(([a], [b]) => (PROCESS_CODES[a] ?? 0) - (PROCESS_CODES[b] ?? 0));
  const counted = list(waits);
  const of = (by: GroupBy, [utid, rank, priority]: Wait): number | null => {
    const name = counted.names.get(utid);
    return { process: name?.pid ?? null, thread: name?.tid ?? null, rank, priority }[by];
  };
  for (const by of ['process', 'thread', 'rank', 'priority'] as const) {
    const { groups } = sumShown(counted, ALL, by);
    expect(groups).toHaveLength(by === 'process' ? 2 : 3);
    for (const summary of groups) {
      const key = { ...summary, process: summary.pid, thread: summary.tid }[by];
      const group = waits.filter((wait) => of(by, wait) === key);
      expect(summary.count).toBe(group.length);
      const rising = group.map((wait) => wait[4]).sort((a, b) => a - b);
      for (const [part, found] of [
        [0.5, summary.p50_ns],
        [0.9, summary.p90_ns],
        [0.99, summary.p99_ns],
      ] as const) {
        const exact = rising[Math.ceil(rising.length * part) - 1] ?? 0;
        expect(found / exact).toBeGreaterThanOrEqual(1);
        expect(found / exact).toBeLessThan(1.024);
      }
      const above = rising.filter((dur) => dur > summary.p99_ns);
      expect(summary.above_p99_ns).toBe(above.reduce((sum, dur) => sum + dur, 0));
    }
  }
});

test('groups come with the longest wait first; what is not known is a group', () => {
  const unnamed = { process: null, service: null, pid: null, tid: null };
  expect(sumShown(small, ALL, 'rank').groups).toEqual([
    { ...unnamed, rank: 2, priority: null, ...summarise(few.slice(0, 2)) },
    { ...unnamed, rank: null, priority: null, ...summarise(few.slice(4)) },
    { ...unnamed, rank: 0, priority: null, ...summarise(few.slice(2, 4)) },
  ]);
  expect(all.groups.map(({ process, pid, tid }) => [process, pid, tid])).toEqual([
    ['LockApp.exe', 10, null],
    ['svchost.exe', 20, null],
  ]);
});

test.each<[Partial<WaitFilters>, readonly number[]]>([
  [{}, [0, 1, 2, 3, 4]],
  [{ process: 'SVC' }, [2, 3, 4]],
  [{ thread: '22' }, [4]],
  [{ thread: 'worker', cause: 'preempted' }, [1]],
  [{ ranked_only: true }, [0, 1]],
  [{ rank: 0, priority: 8 }, [2, 3]],
  [{ rank: 1.5 }, []],
  [{ rank: 511, cause: 'wake' }, []],
  [{ priority: 1_000_000 }, []],
])('%j lets rows %j through', (given, rows) => {
  expect([...pickWaits(keysOf(few), small.names, { ...ALL, ...given }).rows]).toEqual(rows);
});

test('how long the longest are at least', () => {
  expect(lengthOfLongest(all.rising, 2)).toBe(1_995_261);
  expect(lengthOfLongest(all.rising, 100)).toBe(0);
});

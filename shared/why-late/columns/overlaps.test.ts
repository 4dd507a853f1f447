import { expect, test } from 'vitest';
import type { Batch, Stretch, Tables, Values } from '../../tables/index.ts';
import { instantsOf, spansOf, visitInstants, visitOverlaps } from './overlaps.ts';

interface Row {
  readonly ts: number;
  readonly te: number;
}

function valuesOf(numbers: readonly number[]): Values {
  return { values: Float64Array.from(numbers), present: null, texts: null };
}

/** A table in batches of 10 rows. It gives the batches that touch one of some ranges. */
function tablesOf(rows: readonly Row[]): { readonly tables: Tables; readonly read: number[] } {
  const read: number[] = [];
  const sorted = [...rows].sort((a, b) => a.te - b.te);
  const tables: Tables = {
    rowCount: () => Promise.resolve(rows.length),
    async *batches<C extends string>(
      _table: string,
      columns: readonly C[],
      ranges: Stretch | readonly Stretch[] = [],
    ): AsyncIterable<Batch<C>> {
      for (let first = 0; first < sorted.length; first += 10) {
        const batch = sorted.slice(first, first + 10);
        const isTouched = ({ start, end }: Stretch) => batch.some(({ ts, te }) => ts < end && te > start);
        if ('start' in ranges || !ranges.some(isTouched)) continue;
        read.push(first / 10);
        const cells: Record<string, Values> = {
          ts: valuesOf(batch.map(({ ts }) => ts)),
          te: valuesOf(batch.map(({ te }) => te)),
        };
        const of = Object.fromEntries(columns.map((name) => [name, cells[name]])) as Record<C, Values>;
        yield await Promise.resolve({ firstRow: 0, rowCount: batch.length, columns: of });
      }
    },
  };
  return { tables, read };
}

/** Numbers that look like chance, the same each time. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

async function overlapsOf(tables: Tables, stretches: readonly Row[]): Promise<string[]> {
  const { spans, order } = spansOf(
    Float64Array.from(stretches, ({ ts }) => ts),
    (index) => stretches[index]?.te ?? 0,
  );
  const found: string[] = [];
  await visitOverlaps(tables, 'etw_run', [], spans, (span, ts, te) =>
    found.push(`${order[span]} ${ts} ${te}`),
  );
  return found.sort();
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'each row is met once in each stretch that it overlaps, seed %i',
  async (seed) => {
    const below = chance(seed);
    const longest = [3, 1_000, 1_000_000][seed % 3] ?? 1;
    const some = (count: number): Row[] =>
      Array.from({ length: count }, () => {
        const ts = below(1_000_000);
        return { ts, te: ts + 1 + below(longest) };
      });
    const [rows, stretches] = [some(500), some(200)];
    const expected = stretches.flatMap((stretch, index) =>
      rows
        .filter(({ ts, te }) => ts < stretch.te && te > stretch.ts)
        .map(({ ts, te }) => `${index} ${ts} ${te}`),
    );
    expect(await overlapsOf(tablesOf(rows).tables, stretches)).toEqual(expected.sort());
  },
);

test.each([1, 2, 3, 4, 5, 6])(
  'each row is met once with all instants that lie in it, seed %i',
  async (seed) => {
    const below = chance(seed);
    const longest = [3, 1_000, 1_000_000][seed % 3] ?? 1;
    const rows = Array.from({ length: 500 }, (): Row => {
      const ts = below(1_000_000);
      return { ts, te: ts + below(longest) };
    });
    const instants = Array.from({ length: 200 }, () => below(1_000_000)).sort((a, b) => a - b);
    const { spans } = instantsOf(Float64Array.from(instants));
    const found: string[] = [];
    await visitInstants(tablesOf(rows).tables, 'etw_run', [], spans, (first, last, te) =>
      found.push(`${instants.slice(first, last).join(' ')} before ${te}`),
    );
    const expected = rows.flatMap(({ ts, te }) => {
      const own = instants.filter((at) => at >= ts && at < te);
      return own.length === 0 ? [] : [`${own.join(' ')} before ${te}`];
    });
    expect(found.sort()).toEqual(expected.sort());
  },
);

test('batches between stretches that lie apart are not read', async () => {
  const rows = Array.from({ length: 1000 }, (_, row) => ({ ts: row * 10, te: row * 10 + 10 }));
  const { tables, read } = tablesOf(rows);
  const stretches = [
    { ts: 9_000, te: 9_001 },
    { ts: 105, te: 106 },
  ];
  expect(await overlapsOf(tables, stretches)).toEqual(['0 9000 9010', '1 100 110']);
  expect(read).toEqual([1, 90]);
});

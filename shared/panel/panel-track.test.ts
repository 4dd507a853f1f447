import { expect, test } from 'vitest';
import type { PanelModel } from './model.ts';
import { panelTracks } from './panel-track.ts';

const whole = { start: 0, end: 1000 };
const options = { followsRange: false, whole, open: null };

function rowsOf(
  names: readonly (readonly [name: string, kind: PanelModel['columns'][number]['kind']])[],
  rows: PanelModel['rows'],
  drawing: Partial<PanelModel['drawing']> = {},
): PanelModel {
  return {
    id: 'mine',
    title: 'Mine',
    description: '',
    origin_ns: 0,
    range: { start: 100, end: 500 },
    drawing: { kind: 'table', roles: {}, warn: null, bad: null, line: null, ...drawing },
    columns: names.map(([name, kind]) => ({ name, kind, title: name, help: '' })),
    rows,
    labels: names.map(() => null),
    more: false,
    missing: [],
    click: null,
  };
}

test('rows of ts, dur and name are spans in the order of time, and tell all their columns', () => {
  const [track, ...others] = panelTracks(
    rowsOf(
      [
        ['ts', 'time_ns'],
        ['dur', 'duration_ns'],
        ['name', 'text'],
      ],
      [
        [300, 50, 'b'],
        [200n, 20, 'a'],
        [null, 1, 'of no time'],
      ],
    ),
    options,
  );
  expect(others).toEqual([]);
  expect(track).toMatchObject({ name: 'panel-mine', label: 'Mine', aside: '2', draw: 'spans', known: null });
  expect(track?.items).toEqual([
    { ts: 200, te: 220, name: 'a', value: null },
    { ts: 300, te: 350, name: 'b', value: null },
  ]);
  expect(track?.about(1)).toEqual({
    facts: [
      ['ts', '0.000000 s'],
      ['dur', '50 ns'],
      ['name', 'b'],
    ],
    selection: null,
    open: null,
  });
});

test('rows of ts and value hold up to the next row', () => {
  const [track] = panelTracks(
    rowsOf(
      [
        ['ts', 'time_ns'],
        ['value', 'number'],
      ],
      [
        [100, 1],
        [400, 3],
      ],
    ),
    options,
  );
  expect(track?.draw).toBe('values');
  expect(track?.items.map(({ ts, te, value }) => [ts, te, value])).toEqual([
    [100, 400, 1],
    [400, 1000, 3],
  ]);
});

test('buckets of several series have a track each, and no value where a bucket has no row', () => {
  const model = rowsOf(
    [
      ['bucket_ts', 'time_ns'],
      ['rank', 'text'],
      ['waiting', 'number'],
    ],
    [
      [100, 'rank 0', 1],
      [100, 'rank 2', 4],
      [110, 'rank 0', 2],
      [300, 'rank 2', 5],
    ],
    { kind: 'area', roles: { x: 'bucket_ts', y: 'waiting', series: 'rank' } },
  );
  const tracks = panelTracks(model, { ...options, followsRange: true });
  const known = { start: 100, end: 500 };
  expect(tracks).toMatchObject([
    {
      ...{ label: 'rank 2: Mine', aside: 'to 5', most: 5, known },
      items: [
        { ts: 100, te: 110, value: 4 },
        { ts: 300, te: 310, value: 5 },
      ],
    },
    {
      ...{ label: 'rank 0: Mine', aside: 'to 5', most: 5, known },
      items: [
        { ts: 100, te: 110, value: 1 },
        { ts: 110, te: 120, value: 2 },
      ],
    },
  ]);
});

test('what is not among the rows that were given is not known', () => {
  const names = [['ts', 'time_ns']] as const;
  const [cut] = panelTracks({ ...rowsOf(names, [[200]]), more: true }, options);
  expect([cut?.known, cut?.aside]).toEqual([{ start: 0, end: 200 }, '1 and more']);
  const [lacking] = panelTracks({ ...rowsOf([], []), missing: ['CSWITCH'] }, options);
  expect([lacking?.aside, lacking?.items]).toEqual(['not recorded', []]);
  expect(panelTracks(rowsOf([['name', 'text']], [['a']]), options)).toEqual([]);
});

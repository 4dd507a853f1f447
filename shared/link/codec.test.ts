import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LONGEST_LINK, makeLink, packState, readLink } from './codec.ts';
import { START } from './place.ts';
import { randomNumbers } from './random.ts';
import { NO_LINK, placeOf, withoutTexts } from './state.ts';
import { FULL_STATE } from './testing.ts';

const pack = (json: string, version = 3): string =>
  `outrank://open#${version}.${deflateRawSync(json).toString('base64url')}`;

test('a state reads back from its link, whole', async () => {
  expect(await readLink(await makeLink(FULL_STATE))).toEqual({ state: FULL_STATE, notes: [] });
  expect(await readLink(await makeLink(NO_LINK))).toEqual({ state: NO_LINK, notes: [] });
});

test('a link of each version reads as it always did', async () => {
  const folder = join(import.meta.dirname, 'fixtures');
  const links = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  expect(links.sort()).toEqual(['v1.txt', 'v2.txt', 'v3-dashboard.txt', 'v3.txt']);
  for (const name of links) {
    const expected: unknown = JSON.parse(readFileSync(join(folder, name.replace('.txt', '.json')), 'utf8'));
    expect(await readLink(readFileSync(join(folder, name), 'utf8')), name).toEqual(expected);
  }
});

test('a link is known with any address that systems make of it, and by its fragment alone', async () => {
  const fragment = await packState({ ...NO_LINK, title: 'a' });
  const addresses = ['outrank://open#', 'outrank://open/#', 'OUTRANK://OPEN#', ' #', ''];
  for (const address of [...addresses, 'http://127.0.0.1:7901/#'])
    expect((await readLink(`${address}${fragment}\n`)).state.title, address).toBe('a');
});

test("the address of a team server's page says where the trace may be had", async () => {
  const id = 'cd'.repeat(32);
  const state = { ...NO_LINK, trace: { id, name: 'a.etl', sizeBytes: 5 } };
  const link = await makeLink(state, `https://traces.example.com:8443/t/${id}`);
  expect((await readLink(link)).state.trace).toEqual({
    ...state.trace,
    server: 'https://traces.example.com:8443',
  });
});

test('parts that do not fit are left out with a word, and the rest is taken', async () => {
  const json = {
    title: 'ok',
    trace: { id: '../../etc', name: 'a', sizeBytes: 1 },
    view: '<b>',
    params: { process: 'x', __proto__x: 1, deep: { a: 1 } },
    range: { start: 9, end: 1 },
    selection: { span: 'x', thread: { tid: -1, ts: 0 }, pid: 4 },
    marks: [
      { slot: 0, ts: 5, label: 'a' },
      { slot: 0, ts: 6, label: 'twin' },
      { slot: 99, ts: 7, label: 'b' },
    ],
    panels: 'none',
    row_id: 7,
  };
  expect(await readLink(pack(JSON.stringify(json)))).toEqual({
    state: {
      ...NO_LINK,
      title: 'ok',
      place: {
        ...placeOf(START),
        params: { process: 'x' },
        selection: { span: null, thread: null, pid: 4 },
        marks: [{ slot: 0, ts: 5, label: 'a' }],
      },
    },
    notes: [
      '“row_id” is not known to this version of Outrank: left out',
      'the trace does not fit (it is no SHA-256): left out',
      'the view does not fit (it cannot be that): left out',
      expect.stringMatching(/^the param “__proto__x” has no such name/),
      expect.stringMatching(/^the param “deep” does not fit/),
      'the range does not fit (it ends before it starts): left out',
      expect.stringMatching(/^the chosen span does not fit/),
      expect.stringMatching(/^the chosen thread does not fit/),
      expect.stringMatching(/^mark 3 does not fit/),
      'panels do not fit: left out',
    ],
  });
});

test('a link of a newer version is taken as far as it is known', async () => {
  const { state, notes } = await readLink(pack('{"title":"later","layout":{}}', 9));
  expect(state.title).toBe('later');
  expect(notes).toEqual([
    'the link is of version 9, newer than this Outrank, which knows up to 3',
    '“layout” is not known to this version of Outrank: left out',
  ]);
});

test.each([
  ['https://example.com/', /no link of Outrank/],
  ['mailto:a@b#3.q1YqSy0qzszPU7JSMjQyVqoFAA', /begins with neither/],
  ['outrank://evil#3.q1Y', /begins with neither/],
  ['outrank://open#3.!!!', /no link of Outrank/],
  ['outrank://open#3.A', /damaged/],
  ['outrank://open#2.q1YqSy0qzszPU7JSMjQyVqoFAA', /version 2/],
  [pack('{"title":"cut"}').slice(0, -4), /damaged, or its end is missing/],
  [pack('no json'), /not readable/],
  ['x'.repeat(LONGEST_LINK + 1), /30001 characters/],
])('%s is refused', async (link, message) => {
  await expect(readLink(link)).rejects.toThrow(message);
});

test('a link that would grow beyond all measure is refused while it grows', async () => {
  const bomb = pack(JSON.stringify({ title: 'a'.repeat(20 << 20) }));
  expect(bomb.length).toBeLessThan(LONGEST_LINK);
  await expect(readLink(bomb)).rejects.toThrow('more than 1048576 bytes');
});

test('a state that fits no link is refused, and a bundle is named instead', async () => {
  const random = randomNumbers(1);
  const sql = String.fromCharCode(...Array.from({ length: 60_000 }, () => 32 + random(90)));
  const panels = [{ name: 'large', sql }];
  await expect(makeLink({ ...NO_LINK, panels })).rejects.toThrow('send a bundle instead');
});

test('a place that goes with a redacted trace says times, ids and numbers alone', () => {
  const { place } = FULL_STATE;
  expect(withoutTexts({ ...FULL_STATE, place: { ...place, sql: 'SELECT secret' } })).toEqual({
    ...FULL_STATE,
    from: undefined,
    place: {
      ...place,
      params: { at_least_ms: 2.5, all: true, only: null },
      marks: place.marks.map((mark) => ({ ...mark, label: '' })),
    },
    panels: [],
    dashboard: undefined,
  });
});

test('a dashboard that does not fit is left out, and so are its panels that do not fit or are not in the link', async () => {
  const panels = [{ name: 'wakes', sql: 'SELECT 1' }];
  const cards = [{ panel: 'wakes' }, { panel: 'wakes', width: 9 }, { panel: 'gone' }, { panel: 'gone' }, 7];
  const dashboard = { name: 'logon', title: 'Logon', panels: cards, shade: 'x' };
  expect(await readLink(pack(JSON.stringify({ panels, dashboard })))).toEqual({
    state: {
      ...NO_LINK,
      panels,
      dashboard: { name: 'logon', title: 'Logon', columns: 2, panels: [{ panel: 'wakes', width: 1 }] },
    },
    notes: [
      expect.stringMatching(/^dashboard panel 2 does not fit/),
      expect.stringMatching(/^dashboard panel 5 does not fit/),
      "the dashboard's panel “gone” is not in the link: left out",
    ],
  });
  const hostile = { ...dashboard, name: '../logon' };
  expect(await readLink(pack(JSON.stringify({ panels, dashboard: hostile })))).toEqual({
    state: { ...NO_LINK, panels },
    notes: ['the dashboard does not fit (it is no name of a dashboard): left out'],
  });
});

test('of more panels than a link takes the first are taken, and a dashboard is told which it loses', async () => {
  const panels = Array.from({ length: 33 }, (_, at) => ({ name: `panel-${at + 1}`, sql: `SELECT ${at}` }));
  const cards = panels.map(({ name }) => ({ panel: name, width: 1 }));
  const dashboard = { name: 'all', title: 'All', columns: 4, panels: cards };
  expect(await readLink(await makeLink({ ...NO_LINK, panels, dashboard }))).toEqual({
    state: {
      ...NO_LINK,
      panels: panels.slice(0, 32),
      dashboard: { ...dashboard, panels: cards.slice(0, 32) },
    },
    notes: [
      'of 33 panels the first 32 are taken',
      "the dashboard's panel “panel-33” is not in the link: left out",
    ],
  });
});

test('what a trace of a link lacks is told by its name', async () => {
  const trace = { id: 'a'.repeat(64), name: 'a.etl' };
  expect((await readLink(pack(JSON.stringify({ trace })))).notes).toEqual([
    'the trace does not fit (sizeBytes is missing): left out',
  ]);
});

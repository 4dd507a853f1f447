import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPanel } from '../../../shared/panel/index.ts';
import { readLink } from '../../../shared/link/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { lakePanels } from '../../../panels/lake/index.ts';
import { temporaryFolder } from '../../host/testing/real.ts';
import { storeTrace } from '../lake/add.ts';
import { startDuckDB } from '../lake/duckdb.ts';
import { Lake } from '../lake/lake.ts';
import { LakeReader } from '../lake/reader.ts';
import { BOUNDS } from '../testing/contents.ts';
import { sampleTrace, type Sample } from '../testing/rows.ts';
import { askLake } from './ask.ts';

/** Twenty traces of two builds: those of build 2 wait longer; of every fifth the chain goes by a broker; one lost events. */
const SAMPLES: readonly Sample[] = Array.from({ length: 20 }, (_, number) => ({
  number,
  build: number < 10 ? '1' : '2',
  machine: `m${number % 4}`,
  waits_ns: [1000, number < 10 ? 2_000_000 + number : 40_000_000 + number, ...(number === 19 ? [9e9] : [])],
  chains: ['app.exe!UI < System < DPC', ...(number >= 15 ? ['app.exe!UI < broker.exe < DPC'] : [])],
  isLossy: number === 0,
}));

const folder = temporaryFolder();
let reader: LakeReader;
beforeAll(async () => {
  const lake = await Lake.open(join(folder, 'lake'), { create: true });
  const duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
  const none = { traces: new Map<string, never>(), forgotten: new Set<string>() };
  for (const sample of SAMPLES)
    await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, sampleTrace(sample), none);
  await duckdb.end();
  reader = await LakeReader.open(lake, {
    memoryBytes: 256 << 20,
    threads: 2,
    copies: join(folder, 'copies'),
  });
});
afterAll(() => reader.end());

async function ask(id: string, params: Readonly<Record<string, unknown>> = {}) {
  const file = lakePanels.find(({ name }) => name === `${id}.panel.sql`);
  if (file === undefined) throw new Error(`no question ${id}`);
  const panel = readPanel(file);
  const { model, examples, traces, lossy } = await askLake(
    reader,
    panel,
    readParams(panel.params, params),
    BOUNDS,
  );
  const rows = model.rows.map((cells) =>
    Object.fromEntries(model.columns.map(({ name }, at) => [name, cells[at] ?? null])),
  );
  return { rows, examples, traces, lossy };
}

test('a trend gives each build its quantile, an interval, and the traces with the longest waits', async () => {
  const { rows, examples, traces, lossy } = await ask('trend-by-build', { quantile: 75 });
  expect([traces, lossy]).toEqual([20, 1]);
  expect(rows.map(({ value, n, waits }) => [value, n, waits])).toEqual([
    ['1', 9, 18],
    ['2', 10, 21],
  ]);
  const [first, second] = rows;
  expect(Number(first?.quantile_from_ns)).toBeLessThanOrEqual(2_000_001);
  expect(Number(first?.quantile_below_ns)).toBeGreaterThan(2_000_009);
  for (const row of rows) {
    expect(Number(row.low_ns)).toBeLessThanOrEqual(Number(row.typical_ns));
    expect(Number(row.high_ns)).toBeGreaterThanOrEqual(Number(row.typical_ns));
  }
  expect(Number(second?.low_ns)).toBeGreaterThan(Number(first?.high_ns));
  expect(examples[1]?.map(({ name, at_ns }) => [name, at_ns])).toEqual([
    ['trace-19.etl', 1e9],
    ['trace-18.etl', 1e9],
    ['trace-17.etl', 1e9],
  ]);
});

test('an example is a link to the place', async () => {
  const { examples } = await ask('trend-by-build');
  const { state, notes } = await readLink(examples[1]?.[0]?.link ?? '');
  expect(notes).toEqual([]);
  expect(state.trace?.id).toBe(sampleTrace({ number: 19 }).id);
  expect(state.place).toMatchObject({
    view: 'timeline',
    range: { start: 1.5e9, end: 2.5e9 },
    selection: { thread: { tid: 7, ts: 2e9 } },
  });
});

test('machines stand in the order of the seconds that a finding cost, with the traces that could have it', async () => {
  const { rows, examples } = await ask('machines-by-finding', { rule: 'long-ready-wait' });
  const facts = rows.map(({ machine, seconds_lost, findings, with_finding, n }) => [
    machine,
    seconds_lost,
    findings,
    with_finding,
    n,
  ]);
  expect(facts).toEqual(['m0', 'm1', 'm2', 'm3'].map((machine) => [machine, 2.5, 5, 5, 5]));
  expect(examples.map((some) => some.length)).toEqual([3, 3, 3, 3]);
});

test('an outlier is the trace that waited much longer than its model', async () => {
  const { rows, examples } = await ask('model-outliers', { at_least: 10 });
  expect(rows.map(({ name, n }) => [name, n])).toEqual([['trace-19.etl', 19]]);
  expect(examples[0]?.[0]?.name).toBe('trace-19.etl');
});

test('traces like one share its chains', async () => {
  const { rows } = await ask('traces-like-this', {
    trace: sampleTrace({ number: 15 }).id.slice(0, 12),
    top: 5,
  });
  expect(rows.map(({ overlap, shared, n }) => [overlap, shared, n])).toEqual([
    [1, 2, 19],
    [1, 2, 19],
    [1, 2, 19],
    [1, 2, 19],
    [0.5, 1, 19],
  ]);
  expect((await ask('traces-like-this')).rows).toEqual([]);
});

test('a chain of slow traces alone is found, and one of all is not', async () => {
  const { rows } = await ask('slow-not-fast');
  expect(
    rows.map(({ chain, slow_share, fast_share, n_slow, n }) => [chain, slow_share, fast_share, n_slow, n]),
  ).toEqual([['app.exe!UI < broker.exe < DPC', 1, 0, 5, 15]]);
});

test('what was lost and what was not recorded is told', async () => {
  const { rows, examples } = await ask('left-out');
  expect(rows).toEqual([{ reason: 'lost: lost_events', traces: 1, events: 9, n: 20 }]);
  expect(examples[0]?.map(({ name }) => name)).toEqual(['trace-0.etl']);
});

test('a question says of how many traces a row is', async () => {
  const text = '-- @title Traces\n-- @description All.\n-- @over lake\n\nSELECT name FROM trace;\n';
  const panel = readPanel({ name: 'all.panel.sql', text });
  await expect(askLake(reader, panel, {}, BOUNDS)).rejects.toThrow(
    /all.panel.sql: its rows have no column "n"/,
  );
});

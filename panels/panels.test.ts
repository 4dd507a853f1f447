import { beforeAll, expect, test } from 'vitest';
import { makeQuery, type Query } from '../shared/engine/index.ts';
import { lockScreenTrace } from '../shared/engine/testing/lock-screen.ts';
import { processorWith } from '../shared/engine/testing/start.ts';
import { loadPanel, panelTables, readPanel } from '../shared/panel/index.ts';
import { readParams } from '../shared/view/index.ts';
import { shippedPanels } from './index.ts';

const range = { start: 1000, end: 2000 };
let query: Query;
beforeAll(async () => {
  const processor = await processorWith(lockScreenTrace());
  query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
});

async function rowsOf(id: string, given: Readonly<Record<string, unknown>> = {}, tid: number | null = null) {
  const file = shippedPanels.find(({ name }) => name === `${id}.panel.sql`);
  if (file === undefined) throw new Error(`no panel ${id}`);
  const panel = readPanel(file);
  const model = await loadPanel(query, panel, readParams(panel.params, given), {
    trace: { range, cpuCount: 2 },
    range,
    selection: { span: null, thread: tid === null ? null : { tid, ts: 1500 }, pid: null },
  });
  return model.missing.length > 0 ? model.missing : (panelTables(model)[0]?.rows ?? []);
}

test.each<[string, Readonly<Record<string, unknown>>, number | null, unknown]>([
  ['longest-ready-wait', {}, null, [[600, 1200, 20, 'LockApp.exe', 14, 2]]],
  ['longest-ready-wait', {}, 31, [[90, 1210, 31, 'busy.exe', 10, 0]]],
  ['dpc-time-by-cpu', {}, null, ['the kernel flags DPC and INTERRUPT (in WPR: the CPU profile)']],
])('%s with %j of thread %s', async (id, given, tid, rows) => {
  expect(await rowsOf(id, given, tid)).toEqual(rows);
});

test('ready time by rank: all of it, wherever the buckets cut it', async () => {
  const rows = (await rowsOf('ready-time-by-rank')) as [number, string, number][];
  const sums = new Map<string, number>();
  for (const [, rank, waiting] of rows) sums.set(rank, (sums.get(rank) ?? 0) + waiting * 5);
  const [truth] = (
    await query('SELECT sum(dur) FILTER (WHERE rank = 2) AS two, sum(dur) AS whole FROM etw_ready_wait')
  ).rows();
  expect(sums.get('rank 2')).toBeCloseTo(Number(truth?.two));
  expect([...sums.values()].reduce((sum, each) => sum + each)).toBeCloseTo(Number(truth?.whole));
});

test.each(shippedPanels.map(({ name }) => name.replace('.panel.sql', '')))(
  '%s runs on a trace',
  async (id) => {
    expect(Array.isArray(await rowsOf(id))).toBe(true);
  },
);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeQuery, type Query } from '../shared/engine/index.ts';
import { lockScreenTrace } from '../shared/engine/testing/lock-screen.ts';
import { processorWith } from '../shared/engine/testing/start.ts';
import {
  checkPanel,
  DRAWINGS,
  GIVEN,
  loadPanel,
  readDashboard,
  readPanel,
  writeDashboard,
} from '../shared/panel/index.ts';
import { readParams } from '../shared/view/index.ts';
import { shippedPanels } from './index.ts';

const docs = readFileSync(join(import.meta.dirname, '..', 'docs', 'panels.md'), 'utf8');
const blocks = (language: string) =>
  [...docs.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
const panels = blocks('sql').map((text) => ({
  name: shippedPanels.find((each) => each.text === text)?.name ?? 'unknown',
  text,
}));

let query: Query;
beforeAll(async () => {
  const processor = await processorWith(lockScreenTrace());
  query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
});

test('the five panels of the document are those that come with Outrank', () => {
  expect(panels.map(({ name }) => name)).toEqual([
    'switch-pairs.panel.sql',
    'ready-time-by-rank.panel.sql',
    'dpc-time-by-cpu.panel.sql',
    'event-pairs.panel.sql',
    'longest-ready-wait.panel.sql',
  ]);
});

test.each(panels)('$name runs as the document says', async (file) => {
  const panel = readPanel(file);
  const range = { start: 1000, end: 2000 };
  const selection = { span: null, thread: null, pid: null };
  const scope = { trace: { range, cpuCount: 2 }, range, selection };
  const { columns, rows, missing, drawing } = await loadPanel(
    query,
    panel,
    readParams(panel.params, {}),
    scope,
  );
  expect(DRAWINGS).toContain(drawing.kind);
  // What the small trace lacks is checked without rows.
  if (missing.length > 0) expect((await checkPanel(query, panel)).length).toBeGreaterThan(1);
  else expect([columns.length > 1, rows.length > 0]).toEqual([true, file.name !== 'event-pairs.panel.sql']);
});

test('the dashboard of the document is one, and is written as it is read', () => {
  const [text = ''] = blocks('json');
  const dashboard = readDashboard({ name: 'logon.dashboard.json', text });
  expect(dashboard).toMatchObject({ id: 'logon', title: 'Logon', columns: 2 });
  expect(readDashboard({ name: 'logon.dashboard.json', text: writeDashboard(dashboard) })).toEqual(dashboard);
});

test.each([
  ['{', 'a.dashboard.json: is no JSON'],
  ['{"title":"A","panels":[{"panel":"../x"}]}', 'a.dashboard.json: panels.0.panel: takes the id of a panel'],
  ['{"title":"A","panels":[],"script":"x"}', 'a.dashboard.json: script: Invalid key'],
])('%s is refused', (text, message) => {
  expect(() => readDashboard({ name: 'a.dashboard.json', text })).toThrow(message);
});

test('the document names every drawing and every given parameter', () => {
  const named = (word: string) => docs.includes(`\`${word}\``);
  expect(DRAWINGS.filter((each) => !named(each))).toEqual([]);
  expect(Object.keys(GIVEN).filter((name) => !named(`:${name}`))).toEqual([]);
});

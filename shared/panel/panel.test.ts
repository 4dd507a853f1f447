import { beforeAll, expect, test } from 'vitest';
import { makeQuery, type Query } from '../engine/index.ts';
import { lockScreenTrace } from '../engine/testing/lock-screen.ts';
import { processorWith, startProcessor } from '../engine/testing/start.ts';
import { etwModules } from '../sql/index.ts';
import { readParams } from '../view/index.ts';
import {
  checkPanel,
  followsRange,
  followsSelection,
  loadPanel,
  panelFault,
  panelTables,
  readPanel,
} from './index.ts';

const FILE = `-- @title Ready waits by thread
-- @description How long threads were ready,
--   and did not run.
-- @param at_least number ns = 100: Shorter waits are left out.
-- @param cause choice any|wake = any: Why they were ready.
-- @param process text = none: Part of a process's name.
-- @param ranked flag = false: Only those of a rank above 0.
-- @needs etw_ready_wait: the kernel flags CSWITCH and DISPATCHER
-- @draw bars name=utid value=ready_ns
-- @column waits count: How many waits.
-- @click thread
SELECT w.utid, sum(w.dur) AS ready_ns, count(*) AS waits, min(w.ts) AS ts
FROM etw_ready_wait AS w JOIN etw_thread AS t USING (utid)
WHERE w.dur >= :at_least AND (:cause = 'any' OR w.cause = :cause) AND w.te > :range_start AND w.ts < :range_end
  AND (:process IS NULL OR instr(t.process_name, :process)) AND (NOT :ranked OR w.rank > 0)
GROUP BY w.utid
ORDER BY ready_ns DESC;
`;

const whole = { start: 1000, end: 2000 };
const scope = {
  trace: { range: whole, cpuCount: 2 },
  range: whole,
  selection: { span: null, thread: null, pid: null },
};
let query: Query;
beforeAll(async () => {
  const processor = await processorWith(lockScreenTrace());
  query = makeQuery((sql) => Promise.resolve(processor.query(sql)));
});

const panelOf = (text: string) => readPanel({ name: 'ready-waits.panel.sql', text });
const load = async (text: string, given: Readonly<Record<string, unknown>> = {}) => {
  const panel = panelOf(text);
  return loadPanel(query, panel, readParams(panel.params, given), scope);
};

test('a question to a lake says nothing of one trace, and no trace answers it', async () => {
  const header = '-- @title Traces\n-- @description How many there are.\n-- @over lake\n';
  const select = 'SELECT count(*) AS n FROM trace;\n';
  expect(panelOf(`${header}\n${select}`).over).toBe('lake');
  expect(() => panelOf(`${header}-- @click thread\n\n${select}`)).toThrow(
    'ready-waits.panel.sql, line 4: @click says something of one trace, and a lake has many',
  );
  expect(() => panelOf(`${header}\nSELECT :range_start AS n`)).toThrow(/no parameter :range_start/);
  await expect(load(`${header}\n${select}`)).rejects.toThrow(
    /asks a lake of many traces: outrank lake ask LAKE FILE/,
  );
});

test('a panel as it is read', () => {
  const { select, text, columns, uses, ...panel } = panelOf(FILE);
  expect(text).toBe(FILE);
  expect(select.trimEnd()).toBe(FILE.trimEnd().slice(0, -1));
  expect([...columns]).toEqual([['waits', { kind: 'count', help: 'How many waits.' }]]);
  expect([...uses]).toEqual(['at_least', 'cause', 'range_start', 'range_end', 'process', 'ranked']);
  expect(panel).toEqual({
    id: 'ready-waits',
    file: 'ready-waits.panel.sql',
    title: 'Ready waits by thread',
    description: 'How long threads were ready, and did not run.',
    over: 'trace',
    params: {
      at_least: {
        type: 'number',
        label: 'At least',
        help: 'Shorter waits are left out.',
        default: 100,
        unit: 'ns',
      },
      cause: {
        type: 'choice',
        label: 'Cause',
        help: 'Why they were ready.',
        default: 'any',
        choices: ['any', 'wake'],
      },
      process: { type: 'text', label: 'Process', help: "Part of a process's name.", default: null },
      ranked: { type: 'flag', label: 'Ranked', help: 'Only those of a rank above 0.', default: false },
    },
    needs: [{ evidence: { table: 'etw_ready_wait' }, record: 'the kernel flags CSWITCH and DISPATCHER' }],
    includes: [],
    drawing: { kind: 'bars', roles: { name: 'utid', value: 'ready_ns' }, warn: null, bad: null, line: 9 },
    click: { does: 'thread' },
  });
});

test.each([
  ['us', 'µs'],
  ['µs', 'µs'],
  ['ms', 'ms'],
  ['%', '%'],
])('a number in %s has the unit %s at its control', (written, unit) => {
  const { params } = panelOf(FILE.replace('number ns', `number ${written}`));
  expect(params.at_least).toMatchObject({ unit });
});

test('what a panel gives: rows, what their columns hold, and names in place of keys', async () => {
  const { rows, labels, columns, ...model } = await load(FILE);
  expect(columns.map(({ name, title, kind }) => [name, title, kind])).toEqual([
    ['utid', 'Thread', 'text'],
    ['ready_ns', 'Ready', 'duration_ns'],
    ['waits', 'Waits', 'count'],
    ['ts', 'At', 'time_ns'],
  ]);
  expect(rows.map(([, ...cells]) => cells)).toEqual([
    [600, 1, 1200],
    [200, 1, 1300],
  ]);
  expect(labels.map((names) => names?.[0] ?? null)).toEqual([
    'LockApp.exe (tid 20, Lock worker)',
    null,
    null,
    null,
  ]);
  expect(model).toMatchObject({ origin_ns: 1000, range: whole, more: false, missing: [] });
});

test('params reach the SELECT, and the table tells what is drawn', async () => {
  const tables = async (given: Readonly<Record<string, unknown>>) =>
    panelTables(await load(FILE, given)).map(({ rows }) => rows.map(([name, ready_ns]) => [name, ready_ns]));
  expect(await tables({ process: 'LockApp' })).toEqual([[['LockApp.exe (tid 20, Lock worker)', 600]]]);
  expect(await tables({ ranked: 'true' })).toEqual([[['LockApp.exe (tid 20, Lock worker)', 600]]]);
  expect(await tables({ at_least: '100000' })).toEqual([[]]);
});

test('what a panel follows is what its SELECT names', async () => {
  expect([followsRange(panelOf(FILE)), followsSelection(panelOf(FILE))]).toEqual([true, false]);
  const chosen = panelOf(
    '-- @title A\n-- @description B\nSELECT :utid IS NOT NULL AS found, :tid AS tid, :bucket_ns AS bucket_ns',
  );
  expect([followsRange(chosen), followsSelection(chosen)]).toEqual([true, true]);
  const selection = { span: null, thread: { tid: 20, ts: 1500 }, pid: null };
  expect((await loadPanel(query, chosen, {}, { ...scope, selection })).rows).toEqual([[1, 20, 5]]);
});

test('a panel that needs what the trace lacks says what records it', async () => {
  const needing = FILE.replace('etw_ready_wait: the', 'etw_interrupt: the flags DPC and INTERRUPT; the');
  expect(await load(needing)).toMatchObject({
    rows: [],
    missing: ['the flags DPC and INTERRUPT; the kernel flags CSWITCH and DISPATCHER'],
  });
});

test('more rows than are drawn are left out, and counted', async () => {
  const panel = panelOf('-- @title A\n-- @description B\nSELECT column1 AS n FROM (VALUES (1), (2), (3))');
  expect(await loadPanel(query, panel, {}, scope, 2)).toMatchObject({ rows: [[1], [2]], more: true });
});

test.each([
  ['@draw bars name=utid value=ready_ns', '@draw pie a=b', 9, /there are table, bars, lines, area/],
  ['@draw bars name=utid value=ready_ns', '@draw bars name=utid', 9, /^@draw bars needs value=COLUMN$/],
  [
    '@draw bars name=utid value=ready_ns',
    '@draw bars nmae=utid',
    9,
    /bars has no "nmae": there are name, value/,
  ],
  ['value=ready_ns', 'value=ready', 9, /^@draw names "ready", which no column is called: there are utid, r/],
  ['number ns = 100', 'number ns = soon', 4, /^@param at_least: "soon" is no number$/],
  ['at_least number', 'range_end number', 4, /range_end: the name is that of a given parameter/],
  ['choice any|wake = any', 'choice any|wake = none', 5, /the default one of them/],
  ['@click thread', '@click boom', 11, /^@click takes time, thread, process/],
  [
    ':cause =',
    ':cuase =',
    14,
    /^no parameter :cuase: there are at_least, cause, process, ranked, range_start/,
  ],
  ['w.rank > 0', 'w.rnak > 0', 15, /no such column: w.rnak/],
  ['FROM etw_ready_wait', 'FROM etw_raedy_wait', 13, /no such table: etw_raedy_wait/],
  ['ORDER BY ready_ns DESC', 'ORDER BY', 17, /syntax error|incomplete/],
  ['ORDER BY ready_ns DESC;', '; DROP TABLE etw_run;', 17, /only one statement is taken/],
])('%s wrong as %s: the line and what is wrong', async (right, wrong, line, message) => {
  const text = FILE.replace(right, wrong);
  const fault = await load(text).then(
    () => null,
    (error: unknown) => panelFault(error, text),
  );
  expect(fault?.message).toMatch(message);
  expect(fault?.line).toBe(line);
});

test('a panel is checked without a trace', async () => {
  const processor = await startProcessor();
  processor.finalize();
  processor.register('etw', etwModules);
  for (const { name } of etwModules) processor.query(`INCLUDE PERFETTO MODULE ${name};`);
  const empty = makeQuery((sql) => Promise.resolve(processor.query(sql)));
  expect(await checkPanel(empty, panelOf(FILE))).toEqual(['utid', 'ready_ns', 'waits', 'ts']);
  await expect(checkPanel(empty, panelOf(FILE.replace('w.dur >=', 'w.drr >=')))).rejects.toThrow(
    'no such column: w.drr',
  );
});

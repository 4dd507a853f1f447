import { expect, test } from 'vitest';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { shippedRules } from './index.ts';
import { findIn, MS, START } from './testing.ts';

const HEADER = `-- @title Named
-- @means It has a name.
-- @matters Names matter.
-- @lost A second for each.
-- @threshold 2 threads: so it was decided
-- @proof cpu-usage by=thread process={process_name}
`;
const SELECT = `SELECT ts, 10 AS dur, t.utid, NULL AS upid, t.tid / 10.0 AS seconds_lost, 5 AS five
FROM slice JOIN etw_thread AS t WHERE slice.name = 'etw.trace' AND (SELECT COUNT(*) FROM etw_thread) >= :threshold`;
const rule = (sentence: string, select = SELECT, more = '') => ({
  name: 'named.sql',
  text: `${HEADER}-- @sentence ${sentence}\n${more}\n${select}`,
});

const END = START + 100 * MS;

function trace(): TraceWriter {
  const writer = new TraceWriter().start(START, START);
  return writer
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: END })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .thread(START, null, { tid: 10, pid: 16 });
}

test('all that comes of a rule, what was lost most first', async () => {
  const { findings, ...rest } = await findIn(trace(), END, [rule('{thread}, {five:count}')]);
  expect(findings.map(({ sentence, seconds_lost }) => [sentence, seconds_lost])).toEqual([
    ['app.exe (tid 20, UI), 5', 2],
    ['app.exe (tid 10), 5', 1],
  ]);
  const span = { start: START, end: START + 10 };
  expect(findings[0]).toEqual({
    rule: 'named',
    title: 'Named',
    seconds_lost: 2,
    where: { span, tid: 20, thread: 'UI', service: null, pid: 16, process: 'app.exe', services: null },
    sentence: 'app.exe (tid 20, UI), 5',
    proof: {
      view: 'cpu-usage',
      params: { by: 'thread', process: 'app.exe' },
      range: { start: START, end: START + 10 + 499_995 },
      selection: { span, thread: { tid: 20, ts: START }, pid: 16 },
    },
  });
  expect(rest).toEqual({
    checked: [
      {
        id: 'named',
        title: 'Named',
        means: 'It has a name.',
        matters: 'Names matter.',
        threshold: '2 threads',
        source: 'so it was decided',
        lost: 'A second for each.',
        found: 2,
        more: false,
      },
    ],
    not_checked: [],
    failed: [],
  });
});

test('a rule whose events are missing says what records them', async () => {
  const needs =
    '-- @needs etw_thread: any recording\n-- @needs etw_focus: Win32k\n-- @needs etw_run.rank: CSWITCH';
  const { not_checked, checked } = await findIn(trace(), END, [rule('{thread}', SELECT, needs)]);
  expect(not_checked).toEqual([{ id: 'named', title: 'Named', needs: ['Win32k', 'CSWITCH'] }]);
  expect(checked).toEqual([]);
});

test('what is wrong with a rule is told with its place; the others go on', async () => {
  const bad = (sentence: string, select?: string, more?: string) => rule(sentence, select, more);
  const files = [
    bad('{nobody}'),
    bad('{thread:weeks}'),
    bad('{thread}', "SELECT 1 AS ts, 2 AS dur, 'x' AS utid, no_such AS upid, 0 AS seconds_lost, :threshold"),
    bad('{thread}', SELECT.replace(':threshold', '2')),
    bad('{thread}', 'DELETE FROM etw_thread'),
    bad('{thread}', SELECT, '-- @threshold'),
    bad('{thread}', SELECT, '-- @needs etw_focus is there'),
  ];
  const { failed, findings } = await findIn(trace(), END, [...files, rule('{thread}')]);
  expect(failed.map(({ message }) => message)).toEqual([
    'named.sql, line 7: @sentence has {thread:weeks}: kinds are text, count, duration, time, share',
    'named.sql, line 9: the statement must be a SELECT, not "DELETE"',
    'named.sql, line 8: @threshold says nothing',
    'named.sql, line 8: @needs takes a name of docs/recording.md, such as "focus", or a table with what records it: "etw_focus: provider …"',
    'named.sql: its rows have no column "nobody": there are ts, dur, utid, upid, seconds_lost, five, tid, thread_name, thread_service, pid, process_name, process_services',
    'named.sql, line 9: no such column: no_such',
    'named.sql: the SELECT does not use :threshold',
  ]);
  expect(findings.length).toBe(2);
});

test('no more rows than are listed become findings', async () => {
  const many = `WITH RECURSIVE n(i) AS (SELECT :threshold UNION ALL SELECT i + 1 FROM n LIMIT 60)
    SELECT 1000000000 AS ts, 1 AS dur, NULL AS utid, NULL AS upid, i AS seconds_lost FROM n`;
  const { findings, checked } = await findIn(trace(), END, [rule('{process}', many)]);
  expect(findings.length).toBe(50);
  expect(checked.map(({ found, more }) => [found, more])).toEqual([[50, true]]);
});

test('in a trace without events each shipped rule but that of lost events says what records what it needs', async () => {
  const bare = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: END });
  const { findings, checked, not_checked, failed } = await findIn(bare, END, shippedRules);
  expect({ findings, checked: checked.map(({ id }) => id), failed }).toEqual({
    findings: [],
    checked: ['lost-events'],
    failed: [],
  });
  const scheduling = 'the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile)';
  const samples = 'the kernel flag PROFILE (in WPR: the CPU profile)';
  expect(Object.fromEntries(not_checked.map(({ id, needs }) => [id, needs]))).toEqual({
    'rank-starvation': [scheduling, 'context switches of Windows 7 or later (version 2), not compact ones'],
    'long-ready-wait': [scheduling],
    'release-moment': [scheduling],
    'freeze-in-focus': [
      'the provider Microsoft-Windows-Win32k with the keyword 0x2000 (Focus)',
      'the provider Microsoft-Windows-Kernel-Process with the keyword 0x200 (PROCESS_FREEZE)',
    ],
    'user-lock-contention': ['the provider Microsoft-Windows-Win32k with the keyword 0x0200000010000000'],
    'switch-storm': ['the kernel flag CSWITCH (in WPR: the CPU profile)'],
    'serialised-exits': ['the kernel flag PROC_THREAD (in WPR: any profile)', scheduling],
    'growing-cost': ['the kernel flag PROC_THREAD (in WPR: any profile)'],
    'long-interrupt': ['the kernel flags DPC and INTERRUPT (in WPR: the CPU profile)'],
    'slow-disk': ['the kernel flags DISK_IO and DISK_IO_INIT (in WPR: the DiskIO profile)'],
    preemption: [scheduling],
    migration: ['the kernel flag CSWITCH (in WPR: the CPU profile)'],
    'bimodal-waits': [scheduling],
    'blame-above-bound': [scheduling],
    'hot-loop': [samples],
    'kernel-share': [samples],
    'driver-stall': [
      samples,
      'symbol files of the kernel and of drivers (the panel Symbols, or --symbols PATH)',
    ],
  });
});

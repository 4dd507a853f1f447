import { expect, test } from 'vitest';
import {
  etwNamesBehind,
  hidesColumns,
  includedIn,
  isInOutline,
  modulesNamedIn,
  outlineModules,
  withIncluded,
} from './modules.ts';

test('modules come with what they include, in the order in which they are built', () => {
  expect(withIncluded(['etw.ready_wait', 'etw.process'])).toEqual([
    'etw.trace',
    'etw.generic_event',
    'etw.service',
    'etw.process',
    'etw.names',
    'etw.words',
    'etw.run_fact',
    'etw.run',
    'etw.ran',
    'etw.interrupt',
    'etw.affinity',
    'etw.power',
    'etw.freeze',
    'etw.ready_wait_recorded',
    'etw.ready_wait_held',
    'etw.ready_wait_rank',
    'etw.ready_wait',
  ]);
  expect(withIncluded([])).toEqual([]);
});

test('SQL needs the modules whose tables, functions and macros it names, in any case', () => {
  const sql = `
    SELECT _etw_upid_at!(w.pid, w.ts), ETW_Focus.ts, etw_unheard_of
    FROM etw_cpu_time_between(1, 2) AS w JOIN thread`;
  expect(modulesNamedIn(sql)).toEqual(['etw.process', 'etw.ran', 'etw.focus']);
});

test('a name in a comment is not named, and a comment within a text is none', () => {
  expect(modulesNamedIn("SELECT '-- ' || x -- etw_io\n /* etw_focus */ FROM etw_handle_count")).toEqual([
    'etw.handle',
  ]);
});

test('an outline has tables of scheduling in columns, and no module there hides these', () => {
  const names = [
    'etw_run',
    'etw_trace',
    'etw_context_switch',
    'etw_sample',
    'etw_stack_frame',
    'etw_ready_wait_bin',
    'etw_counter_source',
    'etw_run_counter',
    '_etw_event_stack',
    'etw_ran_between',
  ];
  expect(names.filter(isInOutline)).toEqual([
    'etw_run',
    'etw_trace',
    'etw_context_switch',
    'etw_sample',
    'etw_stack_frame',
    'etw_ready_wait_bin',
    'etw_counter_source',
    'etw_run_counter',
    'etw_ran_between',
  ]);
  const modules = [
    'etw.run',
    'etw.switch',
    'etw.context_switch',
    'etw.power',
    'etw.affinity',
    'etw.process',
    'etw.process_exit_wait',
  ];
  expect(modules.filter(hidesColumns)).toEqual(['etw.run', 'etw.switch', 'etw.power']);
});

test('what SQL reads is also what views read that it names', () => {
  expect([...etwNamesBehind('SELECT * FROM etw_thread_rank')]).toContain('_etw_rank_change');
  const behind = etwNamesBehind('SELECT * FROM etw_ready_wait_history');
  expect(['etw_ready_wait', 'etw_ready_wait_rank', 'etw_sample'].map((name) => behind.has(name))).toEqual([
    true,
    true,
    false,
  ]);
});

test('modules of an outline include none that would hide the columns', () => {
  const included = new Map(outlineModules.map(({ name, sql }) => [name, includedIn(sql)]));
  expect(included.get('etw.process_exit_wait')).toEqual(['etw.process_exit']);
  expect(included.get('etw.ran')).toEqual([]);
});

test('an outline has processes and threads as they are lent, and what finds and names them', () => {
  const sql = outlineModules.find(({ name }) => name === 'etw.process')?.sql ?? '';
  expect(sql.match(/^CREATE (?:TEMP|PERFETTO) \w+ \w+/gm)).toEqual([
    'CREATE TEMP VIEW etw_thread',
    'CREATE PERFETTO MACRO _etw_upid_at',
    'CREATE PERFETTO FUNCTION etw_thread_label',
    'CREATE PERFETTO MACRO _etw_utid_at',
  ]);
});

test('views of an outline that read columns are temporary, and take their names from what they select', () => {
  const sql = (module: string) => outlineModules.find(({ name }) => name === module)?.sql;
  expect(sql('etw.stack_frame')).toContain('CREATE TEMP VIEW etw_stack_frame AS\nSELECT');
  expect(sql('etw.generic_event')).toContain('CREATE PERFETTO VIEW etw_generic_event(');
});

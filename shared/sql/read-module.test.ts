import { expect, test } from 'vitest';
import { readModule } from './read-module.ts';

const MODULE = `-- Who ran.
INCLUDE PERFETTO MODULE etw.trace;

-- A run, from one context switch
-- to the next.
CREATE PERFETTO TABLE etw_run(
  -- When it began,
  -- in ns.
  ts LONG,
  -- Its processor.
  cpu LONG
) AS
SELECT 1 AS ts, 2 AS cpu;

-- The runs in a span.
CREATE PERFETTO FUNCTION etw_runs(
  -- Where the span begins.
  start LONG
)
RETURNS TABLE(
  -- When.
  ts LONG
) AS
SELECT 1 AS ts;
`;

test('tables and functions, with the comments above them', () => {
  expect(readModule('run.sql', MODULE)).toEqual({
    title: 'Who ran.',
    items: [
      {
        kind: 'TABLE',
        name: 'etw_run',
        comment: 'A run, from one context switch\nto the next.',
        arguments: [],
        columns: [
          { name: 'ts', type: 'LONG', comment: 'When it began, in ns.' },
          { name: 'cpu', type: 'LONG', comment: 'Its processor.' },
        ],
      },
      {
        kind: 'FUNCTION',
        name: 'etw_runs',
        comment: 'The runs in a span.',
        arguments: [{ name: 'start', type: 'LONG', comment: 'Where the span begins.' }],
        columns: [{ name: 'ts', type: 'LONG', comment: 'When.' }],
      },
    ],
  });
});

test('a function that gives one value has no columns', () => {
  const sql = `-- What it is called.
CREATE PERFETTO FUNCTION etw_label(
  -- Its key.
  utid LONG
)
RETURNS STRING AS
SELECT
  utid AS
FROM etw_thread;
`;
  const [label] = readModule('label.sql', sql).items;
  expect(label?.arguments).toEqual([{ name: 'utid', type: 'LONG', comment: 'Its key.' }]);
  expect(label?.columns).toEqual([]);
});

test('a column without a comment is refused', () => {
  const sql = MODULE.replace('  -- Its processor.\n', '');
  expect(() => readModule('run.sql', sql)).toThrow('run.sql: column cpu of etw_run has no comment');
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../host/testing/real.ts';
import { refusalOfSql } from './shared-sql.ts';

const BEGIN =
  'statements of a shared trace begin with SELECT, WITH, VALUES, EXPLAIN, INCLUDE or CREATE OR REPLACE PERFETTO, not ';
const READ_ONLY = 'a trace that several viewers share is read only: ';
const CREATE =
  'of a shared trace, only CREATE OR REPLACE PERFETTO TABLE, VIEW, FUNCTION or MACRO is run, of a name that begins with _, for the statements that follow it';

test.each([
  'SELECT \'DROP TABLE x; DELETE\' AS "update" -- PRAGMA;\n FROM etw_run /* ; ATTACH */;',
  "with a as (values (1)) select replace(';', 'a', 'b') from a",
  'INCLUDE PERFETTO MODULE etw.sched; SELECT 1',
  'CREATE OR REPLACE PERFETTO TABLE _mine AS SELECT 1 AS n; SELECT n FROM _mine;',
  '',
])('%j is run', (sql) => expect(refusalOfSql(sql)).toBe(null));

test.each([
  ['DROP TABLE x', `${BEGIN}"drop"`],
  ['SELECT 1; /* x */ BEGIN', `${BEGIN}"begin"`],
  ['_mine!()', `${BEGIN}"_mine"`],
  ['WITH a AS (SELECT 1) DELETE FROM thread', `${READ_ONLY}DELETE is not run`],
  ['WITH a AS (SELECT 1) REPLACE INTO thread SELECT * FROM a', `${READ_ONLY}REPLACE INTO is not run`],
  ["SELECT CREATE_FUNCTION('etw_ns()', 'INT', 'SELECT 1')", `${READ_ONLY}CREATE_FUNCTION is not run`],
  ['CREATE PERFETTO TABLE x AS SELECT 1', CREATE],
  ['CREATE OR REPLACE PERFETTO VIEW etw_ready_wait AS SELECT 1', CREATE],
  ['CREATE OR REPLACE PERFETTO VIEW "etw_ready_wait" AS SELECT 1', CREATE],
  ['CREATE OR REPLACE PERFETTO TABLE etw_cpu_sum AS SELECT 1', CREATE],
  ['CREATE OR REPLACE PERFETTO INDEX _x ON etw_run(ts)', CREATE],
  ['CREATE TABLE _x (n INT)', CREATE],
])('%j is not run', (sql, refusal) => expect(refusalOfSql(sql)).toBe(refusal));

const files = readdirSync(join(root, 'views'), { recursive: true, encoding: 'utf8' });

test.each(files.filter((path) => path.endsWith('.sql')))('views/%s is run', (path) =>
  expect(refusalOfSql(readFileSync(join(root, 'views', path), 'utf8'))).toBe(null),
);

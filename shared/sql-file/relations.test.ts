import { expect, test } from 'vitest';
import { relationsOf } from './relations.ts';

test.each([
  ['SELECT 1', []],
  ['SELECT * FROM etw_run', ['etw_run']],
  [
    'select cpu, "x" from ETW_RUN as r, thread t left join process using (upid);',
    ['etw_run', 'thread', 'process'],
  ],
  ['SELECT a FROM b JOIN c ON b.x = max(c.x, 2), d WHERE a IN (1, 2) ORDER BY e, f', ['b', 'c', 'd']],
  [
    'SELECT (SELECT max(x) FROM inner_table), y FROM (SELECT y FROM deep) AS d, other',
    ['inner_table', 'deep', 'other'],
  ],
  ['SELECT * FROM (a JOIN b USING (c)) CROSS JOIN "d"', ['a', 'b', 'd']],
  [
    'WITH w AS (SELECT 1 FROM a), x(b, c) AS NOT MATERIALIZED (SELECT * FROM w) SELECT * FROM x JOIN y',
    ['a', 'y'],
  ],
  ['WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n', []],
  ['SELECT * FROM spans(1, 2) AS s WHERE s.ts IN times', ['spans', 'times']],
  ["SELECT 'FROM x' -- FROM y\n /* FROM z */ FROM facts.etw_run", ['facts.etw_run']],
  ['EXPLAIN SELECT 1 FROM a', ['a']],
  ['-- why?\nExplain Query Plan WITH w AS (SELECT 1 FROM a) SELECT * FROM w', ['a']],
  ['SELECT a IS DISTINCT FROM b FROM c GROUP BY d, e UNION SELECT 1, 2 FROM f', ['c', 'f']],
])('what a SELECT reads: %s', (sql, relations) => {
  expect([...(relationsOf(sql) ?? ['none'])].sort()).toEqual([...relations].sort());
});

test.each([
  '',
  'SELECT 1; SELECT 2',
  'CREATE TABLE x AS SELECT 1',
  'INCLUDE PERFETTO MODULE x',
  'EXPLAIN CREATE TABLE x AS SELECT 1',
  'QUERY PLAN SELECT 1',
])('no single SELECT: %s', (sql) => {
  expect(relationsOf(sql)).toBeNull();
});

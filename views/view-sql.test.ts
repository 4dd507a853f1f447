import { expect, test } from 'vitest';
import {
  choiceParam,
  flagParam,
  numberParam,
  readParams,
  rowsParam,
  textParam,
} from '../shared/view/index.ts';
import { paramsIn, sqlOf } from './view-sql.ts';

const params = {
  process: textParam('Process', 'Part of the process name, or its id.'),
  cause: choiceParam('Cause', 'How it became ready.', ['any', 'wake', 'preempted']),
  at_least_ms: numberParam('At least', 'Shortest wait.', 0, { unit: 'ms' }),
  rank: numberParam('Rank', 'Only waits at this rank.', null),
  ranked_only: flagParam('Rank above 0', 'Only waits at a rank above 0.'),
  limit: rowsParam('How many.', 200, 1000),
};

const WAITS = `-- Waits of the range in view.
-- Of those that were preempted as well. -- if cause = any, preempted
SELECT ts, dur -- no parameter :of
FROM waits
WHERE ts < :range_end AND te > :range_start
  AND matches(:process, process_name, id(pid))
  AND cause = :cause
  AND dur >= :at_least_ns
  AND rank = :rank
  AND rank > 0 -- if ranked_only and no rank
LIMIT :limit;`;

/** The lines of what users see with some params. */
const linesOf = (sql: string, given: object = {}) =>
  sqlOf({ sql, params }, { start: 1000, end: 5000 }, readParams(params, { ...given })).split('\n');

const filtersOf = (given: object) => linesOf(WAITS, given).filter((line) => line.startsWith('  AND'));

test('a line that names a parameter is left out where that is not set', () => {
  expect(linesOf(WAITS)).toEqual([
    '-- Waits of the range in view.',
    '-- Of those that were preempted as well.',
    'SELECT ts, dur -- no parameter :of',
    'FROM waits',
    'WHERE ts < 5000 AND te > 1000',
    'LIMIT 200;',
  ]);
});

test('each line that is set is bound', () => {
  const given = { process: 'wmi', cause: 'wake', at_least_ms: 2.5, rank: 0, ranked_only: true, limit: 7 };
  expect(linesOf(WAITS, given)).toEqual([
    '-- Waits of the range in view.',
    'SELECT ts, dur -- no parameter :of',
    'FROM waits',
    'WHERE ts < 5000 AND te > 1000',
    "  AND process_name LIKE '%wmi%'",
    "  AND cause = 'wake'",
    '  AND dur >= 2500000',
    '  AND rank = 0',
    'LIMIT 7;',
  ]);
});

test('no text, no number and the first choice ask for nothing; no number of rows is that of the form', () => {
  const given = { process: '', cause: 'any', at_least_ms: 0, rank: null, ranked_only: false, limit: null };
  expect(linesOf(WAITS, given)).toEqual(linesOf(WAITS));
});

test('a line may be kept by a condition alone', () => {
  expect(filtersOf({ ranked_only: true })).toEqual(['  AND rank > 0']);
});

test.each([
  ['wmi', "process_name LIKE '%wmi%'"],
  ['16', "(process_name LIKE '%16%' OR pid = 16)"],
  ['016', "process_name LIKE '%016%'"],
  ["it's", "process_name LIKE '%it''s%'"],
  ['a_b%', "process_name LIKE '%a\\_b\\%%' ESCAPE '\\'"],
  [':rank -- if', "process_name LIKE '%:rank -- if%'"],
])('the text %s is found as what it is', (process, filter) => {
  expect(filtersOf({ process })).toEqual([`  AND ${filter}`]);
});

test('a text is looked for in JSON as JSON writes it, and in the names of files without their folders', () => {
  const [json, file] = ['json(fields)', 'file(path)'].map((column) =>
    linesOf(`SELECT matches(:process, ${column})`, { process: 'C:\\x "y"' }).join(),
  );
  expect(json).toBe(`SELECT fields LIKE '%C:\\\\\\\\x \\\\"y\\\\"%' ESCAPE '\\'`);
  expect(file).toContain("substr(path, length(rtrim(path, replace(path, '\\', ''))) + 1) LIKE ");
});

test.each([
  ['SELECT :proces', 'query.sql names proces, which is no parameter of the view'],
  ['SELECT :rank_ns', 'query.sql names rank_ns, which is no parameter of the view'],
  ['SELECT 1 -- if proces', 'query.sql names proces, which is no parameter of the view'],
  ['SELECT 1 -- if cause = wait', 'query.sql: cause never is "wait"'],
  ['SELECT 1 -- if rank or cause', 'query.sql names rank or cause, which is no parameter of the view'],
])('%s is refused', (sql, message) => {
  expect(() => linesOf(sql)).toThrow(message);
});

test('tells the parameters that SQL names', () => {
  expect([...paramsIn({ sql: WAITS, params })].sort()).toEqual(Object.keys(params).sort());
});

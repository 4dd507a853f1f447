import { expect, test } from 'vitest';
import { fillTemplate, fillValue, limitRows, parseSqlFile, soleSelect, templateFault } from './index.ts';

const FILE = `-- Rows that are long.
-- @title Long
--   waits
-- @param at_least 5
-- @param process any
--
-- For readers: @ may stand here.
SELECT 1; -- done
`;

test('a header: entries in order, continued lines joined, other comments left out', () => {
  const { header, text } = parseSqlFile('long.sql', FILE);
  expect(header.one('title')).toEqual({ key: 'title', value: 'Long waits', line: 2 });
  expect(header.all('param').map(({ value, line }) => [value, line])).toEqual([
    ['at_least 5', 4],
    ['process any', 5],
  ]);
  expect(header.optional('proof')).toBeNull();
  expect(text).toBe(FILE);
});

test.each<[string, (file: ReturnType<typeof parseSqlFile>) => unknown, string]>([
  ['SELECT 1', () => null, 'x.sql, line 1: no header: a file begins with lines such as "-- @title …"'],
  ['-- @title\nSELECT 1', () => null, 'x.sql, line 1: @title says nothing'],
  ['-- @Title A\nSELECT 1', () => null, 'x.sql, line 1: "@Title" is no key: keys are words of a to z and _'],
  ['-- @title A\n-- @title B', ({ header }) => header.one('title'), 'x.sql, line 2: @title is there twice'],
  ['-- @title A', ({ header }) => header.one('proof'), 'x.sql: the header has no @proof'],
  [
    '-- @title A\n-- @tilte B',
    ({ header }) => header.only(['title', 'proof']),
    'x.sql, line 2: @tilte is not known here: there are @title, @proof',
  ],
])('%j is refused', (text, use, message) => {
  expect(() => use(parseSqlFile('x.sql', text))).toThrow(message);
});

const select = (sql: string) => soleSelect(parseSqlFile('x.sql', `-- @title A\n${sql}`));

test('one SELECT is let through, whatever its strings and comments hold', () => {
  const sql = 'WITH a AS (SELECT \';)\' AS b /* ; */) -- ;\nSELECT "b;" FROM a';
  expect(select(`${sql};\n-- the end\n`)).toBe(`-- @title A\n${sql}`);
});

test.each([
  ['DROP TABLE etw_run', 'line 2: the statement must be a SELECT, not "DROP"'],
  ['SELECT 1;\nDROP TABLE etw_run', 'line 3: only one statement is taken'],
  ['SELECT 1) ; SELECT (2', 'line 2: a parenthesis closes that was not opened'],
  [
    "SELECT ';import',\n [Create_Function]('f()', 'LONG', 'SELECT 1')",
    'line 3: create_function changes more than it reads',
  ],
  ['SELECT "export_json"(\'x\')', 'line 2: export_json changes more than it reads'],
  ['SELECT (1', 'a parenthesis is not closed'],
  ['', 'there is no SQL after the header'],
])('%j is refused', (sql, message) => {
  expect(() => select(sql)).toThrow(message);
});

test.each([
  ['SELECT 1', 'SELECT * FROM (\nSELECT 1\n) LIMIT 5'],
  ["SELECT ';'; -- done;", "SELECT * FROM (\nSELECT ';'\n) LIMIT 5"],
  [
    'INCLUDE PERFETTO MODULE a; SELECT 1 -- one',
    `INCLUDE PERFETTO MODULE a; SELECT * FROM (
${' '.repeat(27)}SELECT 1 -- one
) LIMIT 5`,
  ],
  ['SELECT 1;\nCREATE PERFETTO TABLE a AS SELECT 1;', 'SELECT 1;\nCREATE PERFETTO TABLE a AS SELECT 1;'],
  ['PRAGMA table_info(slice)', 'PRAGMA table_info(slice)'],
  ['', ''],
])('%j gives at most 5 rows', (sql, limited) => {
  expect(limitRows(sql, 5).sql).toBe(limited);
});

test('a place in a limited text is told as in the text that it was made of', () => {
  const { placeOf } = limitRows('INCLUDE PERFETTO MODULE a;\nSELECT 1,\n  nope', 5);
  const places = [1, 2, 3, 4, 5].map((line) => placeOf({ line, column: 3 }).line);
  expect(places).toEqual([1, 2, 2, 3, 3]);
});

test('a template: values by kind, and a part that is left out where a column is null', () => {
  const template = '{who} lost {ns:duration}[, {more:count} times] at {ts:time}';
  const row = { who: '{ns} [x]', ns: 2e6, more: 1200, ts: 3e9 };
  expect(templateFault(template)).toBeNull();
  expect(fillTemplate(template, row, 1e9)).toBe('{ns} [x] lost 2.00 ms, 1,200 times at 2.000000 s');
  expect(fillTemplate(template, { ...row, more: null }, 1e9)).toBe('{ns} [x] lost 2.00 ms at 2.000000 s');
  expect([fillValue('{ts}', row), fillValue('forward', row)]).toEqual([3e9, 'forward']);
});

test.each([
  [1, '1 wait'],
  [1n, '1 wait'],
  [0, '0 waits'],
  [2, '2 waits'],
])('a template says %s wait or waits', (waits, words) => {
  const template = '{waits:count} {waits:wait|waits}';
  expect(templateFault(template)).toBeNull();
  expect(fillTemplate(template, { waits }, 0)).toBe(words);
});

test.each([
  ['{a:weeks}', 'has {a:weeks}: kinds are text, count, duration, time, share'],
  ['a {b', 'has a "{" without its other half, or around no column name'],
  ['[a [{b}]]', 'has a "[" without its other half, or around no column name'],
])('the template %j is faulty', (template, fault) => {
  expect(templateFault(template)).toBe(fault);
});

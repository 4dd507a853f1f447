import { expect, test } from 'vitest';
import { BindError, bindSql, parametersOf } from './bind.ts';
import { rowsOf, startProcessor } from './testing/start.ts';

test.each([
  ['SELECT :a, :b', { a: 1, b: 'x' }, "SELECT 1, 'x'"],
  ['SELECT :a + :a', { a: 2.5 }, 'SELECT 2.5 + 2.5'],
  ['SELECT 1 -:a', { a: -1 }, 'SELECT 1 -(-1)'],
  ['WHERE x IS :a', { a: null }, 'WHERE x IS NULL'],
  ['SELECT :a', { a: 2n ** 63n - 1n }, 'SELECT 9223372036854775807'],
  ["SELECT ':a', :a", { a: "it's" }, "SELECT ':a', 'it''s'"],
  ["SELECT 'it''s :a', :a", { a: 1 }, "SELECT 'it''s :a', 1"],
  ['SELECT ":a", `:a` -- :a\n, :a /* :a */', { a: 1 }, 'SELECT ":a", `:a` -- :a\n, 1 /* :a */'],
  ['SELECT x::a, :a', { a: 1 }, 'SELECT x::a, 1'],
])('%s with %o', (sql, bindings, bound) => {
  expect(bindSql(sql, bindings)).toBe(bound);
});

test.each([
  ['SELECT :a', {}, 'no value for parameter :a'],
  ['SELECT :toString', {}, 'no value for parameter :toString'],
  ['SELECT 1', { a: 1 }, 'the statement has no parameter :a'],
  ["SELECT ':a'", { a: 1 }, 'the statement has no parameter :a'],
  ['SELECT :a', { a: NaN }, 'parameter :a is no number that SQL has: NaN'],
  ['SELECT :a', { a: 2n ** 63n }, 'parameter :a is no number that SQL has: 9223372036854775808'],
  ['SELECT :a', { a: 'x\0y' }, 'parameter :a holds a NUL character'],
])('%s with %o is refused', (sql, bindings, message) => {
  expect(() => bindSql(sql, bindings)).toThrow(new BindError(message));
});

test('the parameters of a statement, and where each stands first', () => {
  expect([...parametersOf("SELECT :b, ':c', :a -- :d\n, :b")]).toEqual([
    ['b', 7],
    ['a', 17],
  ]);
});

test('whatever is bound comes back from the engine as it was', async () => {
  const processor = await startProcessor();
  processor.finalize();
  const values = [
    "'; DROP TABLE x; --",
    '/* "` */ :a',
    'é\n✓',
    -0.1,
    1e300,
    5e-324,
    -(2 ** 53) + 1,
    null,
    -(2n ** 63n),
  ];
  for (const a of values) expect(rowsOf(processor, bindSql('SELECT :a AS a', { a }))).toEqual([{ a }]);
});

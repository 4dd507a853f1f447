import { expect, test } from 'vitest';
import type { Catalog, CatalogItem } from './catalog.ts';
import { etwCatalog } from './catalog.ts';
import { suggest } from './complete.ts';

const column = (name: string) => ({ name, type: 'LONG', comment: `the ${name}` });
const item = (name: string, more: Partial<CatalogItem>): CatalogItem => ({
  kind: 'table',
  name,
  comment: `what ${name} is`,
  module: null,
  call: name,
  columns: [],
  ...more,
});
const catalog: Catalog = [
  item('etw_run', { module: 'etw.run', columns: [column('ts'), column('rank')] }),
  item('slice', { columns: [column('ts'), column('name')] }),
  item('abs', { kind: 'function', call: 'abs(x)' }),
];

/** The labels offered where the text has a bar. */
const at = (text: string) => {
  const position = text.indexOf('|');
  const found = suggest(catalog, text.replace('|', ''), position);
  return found?.options.map(({ label }) => label) ?? null;
};

test('after FROM: what has rows, etw_* first', () => {
  expect(at('SELECT * FROM |')).toEqual(['etw_run', 'slice']);
  expect(suggest(catalog, 'SELECT * FROM et', 16)).toEqual({
    from: 14,
    options: [
      { label: 'etw_run', kind: 'table', detail: 'etw.run', comment: 'what etw_run is', boost: 20 },
      { label: 'slice', kind: 'table', detail: 'table', comment: 'what slice is', boost: -10 },
    ],
  });
});

test('elsewhere: the columns of the tables in use, then all names', () => {
  expect(at('SELECT r| FROM etw_run')).toEqual(['ts', 'rank', 'etw_run', 'slice', 'abs']);
  expect(at('SELECT | FROM etw_run JOIN slice USING (ts)')).toEqual([
    'ts',
    'rank',
    'name',
    'etw_run',
    'slice',
    'abs',
  ]);
  expect(at('SELECT 1 FROM slice; SELECT |')).toEqual(['etw_run', 'slice', 'abs']);
});

test('after an alias or a table and a dot: its columns', () => {
  expect(at('SELECT r.| FROM etw_run AS r')).toEqual(['ts', 'rank']);
  expect(at('SELECT s.n| FROM etw_run r JOIN slice s ON 1')).toEqual(['ts', 'name']);
  expect(at('SELECT slice.|')).toEqual(['ts', 'name']);
  expect(at('SELECT nobody.|')).toBeNull();
});

test('modules, and nothing within a number', () => {
  expect(at('INCLUDE PERFETTO MODULE etw.|')).toEqual(['etw.run']);
  expect(at('SELECT 12|')).toBeNull();
});

test('every table of the package has documentation for itself and its columns', () => {
  const items = etwCatalog();
  expect(items.map(({ name }) => name)).toContain('etw_ready_wait');
  expect(
    items.filter(({ comment, columns }) => comment === '' || columns.some((each) => each.comment === '')),
  ).toEqual([]);
});

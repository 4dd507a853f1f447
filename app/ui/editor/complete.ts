import type { Catalog, CatalogItem } from './catalog.ts';

/** One thing that can be written at a place. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'table' | 'view' | 'function' | 'column' | 'module';
  /** A type or an owner, in a few words. */
  readonly detail: string;
  /** What it means; may be empty. */
  readonly comment: string;
  /** Higher is offered first among what fits equally. -99 to 99, as CodeMirror has it. */
  readonly boost: number;
}

/** What fits at a place, and where the word begins that it replaces. */
export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

const RELATION =
  /\b(?:FROM|JOIN)\s+(\w+)(?:\s*\([^()]*\))?(?:\s+(?:AS\s+)?(?!ON\b|USING\b|WHERE\b|JOIN\b|LEFT\b|CROSS\b|INNER\b|GROUP\b|ORDER\b|LIMIT\b|UNION\b)(\w+))?/gi;

/** The tables, columns, functions and modules that fit at `position` of a text, `etw_*` and what is in use first. */
export function suggest(catalog: Catalog, sql: string, position: number): Suggestions | null {
  const before = sql.slice(0, position);
  const module = /\bINCLUDE\s+PERFETTO\s+MODULE\s+([\w.]*)$/i.exec(before);
  if (module !== null) return { from: position - (module[1]?.length ?? 0), options: modules(catalog) };
  const [word = ''] = /\w*$/.exec(before) ?? [];
  const from = position - word.length;
  const [, owner] = /(\w+)\.$/.exec(sql.slice(0, from)) ?? [];
  const used = tablesInUse(catalog, statementAt(sql, position));
  if (owner !== undefined) {
    const item = used.get(owner.toLowerCase()) ?? catalog.find(({ name }) => name === owner.toLowerCase());
    return item === undefined ? null : { from, options: columnsOf(item, 0) };
  }
  if (/^\d/.test(word)) return null;
  const wantsTable = /\b(?:FROM|JOIN)\s+$/i.test(sql.slice(0, from));
  const items = catalog
    .filter(({ columns }) => !wantsTable || columns.length > 0)
    .map((item) => ofItem(item));
  if (wantsTable) return { from, options: items };
  const inUse = [...new Set(used.values())].flatMap((item) => columnsOf(item, 50));
  return { from, options: [...unique(inUse), ...items] };
}

/** The statement that a place lies in. A semicolon in a string ends one too: that costs suggestions, nothing else. */
function statementAt(sql: string, position: number): string {
  const end = sql.indexOf(';', position);
  return sql.slice(sql.lastIndexOf(';', position - 1) + 1, end === -1 ? sql.length : end);
}

/** The items that a statement reads, by the names it calls them. */
function tablesInUse(catalog: Catalog, statement: string): ReadonlyMap<string, CatalogItem> {
  const byName = new Map(catalog.map((item) => [item.name, item]));
  const used = new Map<string, CatalogItem>();
  for (const [, table = '', alias] of statement.matchAll(RELATION)) {
    const item = byName.get(table.toLowerCase());
    if (item !== undefined) used.set((alias ?? table).toLowerCase(), item);
  }
  return used;
}

function ofItem({ kind, name, call, comment, module }: CatalogItem): Suggestion {
  const detail = kind === 'function' ? call.slice(name.length) : (module ?? kind);
  return { label: name, kind, detail, comment, boost: module === null ? -10 : 20 };
}

function columnsOf(item: CatalogItem, boost: number): readonly Suggestion[] {
  return item.columns.map(({ name, type, comment }) => ({
    label: name,
    kind: 'column',
    detail: `${type.toLowerCase()} of ${item.name}`,
    comment,
    boost,
  }));
}

function unique(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return [...new Map(suggestions.map((each) => [each.label, each])).values()];
}

function modules(catalog: Catalog): readonly Suggestion[] {
  const names = new Set(catalog.flatMap(({ module }) => (module === null ? [] : [module])));
  return [...names].map((label) => ({ label, kind: 'module', detail: '', comment: '', boost: 0 }));
}

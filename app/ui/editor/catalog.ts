import type { Query } from '../../../shared/engine/index.ts';
import { readModule } from '../../../shared/sql/read-module.ts';
import type { SchemaColumn } from '../../../shared/sql/read-module.ts';
import { etwModules } from '../../../shared/sql/index.ts';
import catalogSql from './catalog.sql';
import functionsSql from './functions.sql';
import { KNOWN_FUNCTIONS } from './perfetto-functions.ts';

/** A table, view or function that SQL can name. */
export interface CatalogItem {
  readonly kind: 'table' | 'view' | 'function';
  readonly name: string;
  /** What it is; empty where nothing says so. */
  readonly comment: string;
  /** The module that defines it; null for what the engine has by itself. */
  readonly module: string | null;
  /** How a function is called: `name(a, b)`; the name alone for what is none. */
  readonly call: string;
  /** What its rows have. Empty for a function that gives one value. */
  readonly columns: readonly SchemaColumn[];
}

/** All that SQL can name; what comes first is offered first. */
export type Catalog = readonly CatalogItem[];

let etw: Catalog | null = null;

/** The items of the package `etw`. */
export function etwCatalog(): Catalog {
  etw ??= etwModules.flatMap(({ name: module, sql }) =>
    readModule(module, sql).items.map(({ kind, name, comment, columns, arguments: given }): CatalogItem => ({
      kind: kind === 'TABLE' ? 'table' : kind === 'VIEW' ? 'view' : 'function',
      name,
      comment,
      module,
      call: kind === 'FUNCTION' ? `${name}(${given.map((each) => each.name).join(', ')})` : name,
      columns,
    })),
  );
  return etw;
}

/** The package `etw`, and what the engine lists: its own tables and views, and the functions that are known here. */
export async function loadCatalog(query: Query): Promise<Catalog> {
  const columns = await query(catalogSql);
  const functions = await query(functionsSql);
  const items = new Map<string, CatalogItem & { columns: SchemaColumn[] }>();
  for (const { item, kind, column_name, column_type } of columns.rows()) {
    const name = String(item);
    const made = items.get(name) ?? {
      kind: kind === 'view' ? 'view' : 'table',
      name,
      comment: '',
      module: null,
      call: name,
      columns: [],
    };
    made.columns.push({ name: String(column_name), type: String(column_type ?? ''), comment: '' });
    items.set(name, made);
  }
  const known = functions.strings('name').flatMap((name) => {
    const found = KNOWN_FUNCTIONS.get(name ?? '');
    return name === null || found === undefined ? [] : [{ name, ...found }];
  });
  return [
    ...etwCatalog(),
    ...items.values(),
    ...known.map((each): CatalogItem => ({ ...each, kind: 'function', module: null, columns: [] })),
  ];
}

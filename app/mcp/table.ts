import type { Cell } from '../../shared/engine/index.ts';
import type { ViewColumn, ViewTable } from '../../shared/view/index.ts';

/** A table of an answer that no view has: `columns` are names with the kinds of their cells. */
export function tableOf(
  title: string,
  columns: Readonly<Record<string, ViewColumn['kind']>>,
  rows: readonly (readonly Cell[])[],
): ViewTable {
  const described = Object.entries(columns).map(([name, kind]) => ({ name, title: name, help: '', kind }));
  return { title, columns: described, rows };
}

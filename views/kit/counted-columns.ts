import { column, type Column } from './make-table.ts';

/** A column for each hardware counter, of rows that tell what it counted. */
export function countedColumns<Row extends { readonly counted: readonly (number | null)[] }>(
  counters: readonly string[],
): readonly Column<Row>[] {
  return counters.map((name, place) =>
    column(
      `counter_${place + 1}`,
      name,
      'count',
      'What this hardware counter counted in the runs that ended within the range. –: not recorded.',
      ({ counted }) => counted[place] ?? null,
    ),
  );
}

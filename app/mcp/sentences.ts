import type { ViewTable } from '../../shared/view/index.ts';

/** The texts of a table that holds sentences. */
export function sentencesOf(table: ViewTable | undefined): string[] {
  return (table?.rows ?? []).flatMap((row) => row.filter((cell) => typeof cell === 'string'));
}

/** Whether a view's table holds its answer in sentences. */
export function holdsSentences({ columns }: ViewTable): boolean {
  return columns.length === 1 && columns[0]?.name === 'sentence';
}

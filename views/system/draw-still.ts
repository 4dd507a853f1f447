import { formatCell } from '../../shared/model/index.ts';
import { StillPage, fitted } from '../kit/index.ts';
import type { SystemModel } from './model.ts';
import { systemTables } from './tables.ts';

/** Rows of a table that are written out, and letters of a line. */
const ROWS = 12;
const LINE_LETTERS = 170;

/** Writes the tables as one SVG, their first rows. */
export function drawStill(container: HTMLElement, model: SystemModel): () => void {
  const page = new StillPage(container, 'System', []);
  for (const { title, columns, rows } of systemTables(model)) {
    page.space(8);
    page.text(rows.length > ROWS ? `${title} (the first ${ROWS} of ${rows.length})` : title, { size: 14 });
    for (const row of rows.slice(0, ROWS)) {
      const line = row
        .map((cell, index) => formatCell(cell, columns[index]?.kind ?? 'text', model.origin_ns))
        .join('   ');
      page.text(fitted(line, LINE_LETTERS), {
        size: 11,
        gap: 4,
      });
    }
  }
  return page.finish();
}

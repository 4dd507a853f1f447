import type { Cell } from '../../../shared/engine/index.ts';
import { csvLine, jsonValue, uniqueNames } from '../../../shared/model/index.ts';
import type { ResultCells } from '../result-table/result-table.ts';
import { Turns } from '../result-table/order.ts';

/** Rows between looks at the clock, and of one part of the file. */
const STEP = 4096;

/** The kinds of files that rows are saved as; each is also the ending of the file's name. */
export type SavedFormat = 'csv' | 'json' | 'parquet';

/** The rows of a result, or of a part of it in another order, as the bytes of a file. */
export async function saveRows(
  format: SavedFormat,
  result: ResultCells,
  order: Uint32Array | null,
  turns: Turns,
): Promise<Blob> {
  if (format !== 'parquet') return saveText(format, result, order, turns);
  // Loaded here alone, since few who ask save, and fewer so.
  const { saveParquet } = await import('./save-parquet.ts');
  return saveParquet(result, order, turns);
}

async function saveText(
  format: 'csv' | 'json',
  result: ResultCells,
  order: Uint32Array | null,
  turns: Turns,
): Promise<Blob> {
  const { columns } = result;
  const names = uniqueNames(columns);
  const count = order?.length ?? result.rowCount;
  const parts: string[] = [format === 'csv' ? csvLine(columns) : '['];
  for (let first = 0; first < count; first += STEP) {
    await turns.take();
    const lines: string[] = [];
    for (let at = first; at < Math.min(count, first + STEP); at++) {
      const cells = columns.map((_, column) => jsonValue(result.cell(order?.[at] ?? at, column)));
      lines.push(
        format === 'csv' ? csvLine(cells.map((cell) => String(cell ?? ''))) : jsonLine(names, cells, at),
      );
    }
    parts.push(lines.join(''));
  }
  if (format === 'json') parts.push('\n]\n');
  return new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/json' });
}

function jsonLine(names: readonly string[], cells: readonly Cell[], at: number): string {
  const row = Object.fromEntries(names.map((name, column) => [name, cells[column] ?? null]));
  return `${at === 0 ? '' : ','}\n${JSON.stringify(row)}`;
}

/** Gives a file to the user, as the browser or the window saves files. */
export function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

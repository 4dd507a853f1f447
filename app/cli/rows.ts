import type { QueryResult } from '../../shared/engine/index.ts';
import { csvLine, jsonValue } from '../../shared/model/index.ts';

/** One array of objects, a row a line. */
export function* jsonRows(result: QueryResult): Iterable<string> {
  yield '[';
  for (let row = 0; row < result.rowCount; row += 1) {
    const cells = result.columns.map((name, column) => [name, jsonValue(result.cell(row, column))]);
    yield `${row === 0 ? '' : ','}\n${JSON.stringify(Object.fromEntries(cells))}`;
  }
  yield '\n]\n';
}

/** Comma-separated values as in RFC 4180, with a header; null is empty. */
export function* csvRows(result: QueryResult): Iterable<string> {
  yield csvLine(result.columns);
  for (let row = 0; row < result.rowCount; row += 1) {
    yield csvLine(result.columns.map((_, column) => String(jsonValue(result.cell(row, column)) ?? '')));
  }
}

/** Text in aligned columns, numbers to the right; null is an en dash. */
export function* tableRows(result: QueryResult): Iterable<string> {
  const cells: string[][] = [];
  const numeric = result.columns.map(() => true);
  for (let row = 0; row < result.rowCount; row += 1) {
    cells.push(
      result.columns.map((_, column) => {
        const cell = result.cell(row, column);
        if (cell !== null && typeof cell !== 'number' && typeof cell !== 'bigint') numeric[column] = false;
        return cell === null ? '–' : String(jsonValue(cell));
      }),
    );
  }
  yield* alignedTable(result.columns, cells, (column) => numeric[column] === true);
}

/** Columns are no wider than this many characters: a longer text moves the rest of its own line alone. */
const WIDTH_MAX = 100;

/** A table under a header; control characters are shown as blanks, those that turn the direction of text among them. */
export function* alignedTable(
  header: readonly string[],
  cells: readonly (readonly string[])[],
  toRight: (column: number) => boolean,
): Iterable<string> {
  const lines = [header, ...cells].map((line) =>
    line.map((text) => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')),
  );
  const widths = header.map((_, column) =>
    Math.min(
      WIDTH_MAX,
      lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
    ),
  );
  for (const line of lines) {
    const padded = line.map((text, column) => {
      const width = widths[column] ?? 0;
      return toRight(column) ? text.padStart(width) : text.padEnd(width);
    });
    yield `${padded.join('  ').trimEnd()}\n`;
  }
}

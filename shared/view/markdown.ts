import { formatCell } from '../model/index.ts';
import type { ViewTable } from './view.ts';

/**
 * What a view tells, as Markdown, to paste into a report. Trace text is escaped: none of it becomes markup. Times are told
 * from `origin_ns` on. A note stands below the title.
 */
export function markdown(
  title: string,
  tables: readonly ViewTable[],
  origin_ns: number,
  note: string | null = null,
): string {
  const parts = [
    `# ${escape(title)}`,
    ...(note === null ? [] : [escape(note)]),
    ...tables.flatMap((table) => section(table, origin_ns)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ title, columns, rows }: ViewTable, origin_ns: number): string[] {
  const heading = `## ${escape(title)}`;
  if (rows.length === 0) return [heading, 'Nothing.'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns.map((column) => escape(column.title))),
    line(columns.map(({ kind }) => (kind === 'text' ? '---' : '---:'))),
    ...rows.map((row) =>
      line(columns.map(({ kind }, index) => escape(formatCell(row[index] ?? null, kind, origin_ns)))),
    ),
  ];
  return [heading, table.join('\n')];
}

function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');
}

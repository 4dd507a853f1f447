import { formatCell } from '../../shared/model/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import type { WakeChainModel } from './model.ts';
import { linkTable, processTable, releaseTable } from './tables.ts';

/** Both chains as Markdown, to paste into a report. Trace text is escaped: none of it becomes markup. */
export function markdown(model: WakeChainModel): string {
  const [chosen] = model.links;
  if (chosen === undefined) return '# Wake chain\n\nNo run to start from.\n';
  const parts = [
    '# Wake chain',
    ...model.notes.map((note) => `> ${escape(note)}`),
    ...section(linkTable(model), model.origin_ns),
    ...(model.stop === null ? [] : [escape(model.stop.sentence)]),
    ...section(releaseTable(model), model.origin_ns),
    ...(model.released_cut ? ['More was released than is listed.'] : []),
    ...section(processTable(model), model.origin_ns),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section({ title, columns, rows }: ViewTable, origin_ns: number): string[] {
  if (rows.length === 0) return [`## ${title}`, 'Nothing.'];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(columns.map((column) => column.title)),
    line(columns.map(({ kind }) => (kind === 'text' ? '---' : '---:'))),
    ...rows.map((row) =>
      line(columns.map(({ kind }, index) => escape(formatCell(row[index] ?? null, kind, origin_ns)))),
    ),
  ];
  return [`## ${title}`, table.join('\n')];
}

function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&').replace(/\s+/g, ' ');
}

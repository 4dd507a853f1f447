import { formatBytes, formatCount } from '../../shared/model/index.ts';
import type { ExportReport } from '../host/export-request.ts';

type Kind = ExportReport['kinds'][number];

const COLUMNS: readonly (readonly [title: string, text: (kind: Kind) => string])[] = [
  ['kind', ({ kind }) => kind],
  ['what is done', ({ action }) => action],
  ['found', ({ found }) => formatCount(found)],
  ['different', ({ distinct }) => formatCount(distinct)],
  ['harmless', ({ harmless }) => formatCount(harmless)],
  ['pseudonym', ({ pseudonymised }) => formatCount(pseudonymised)],
  ['removed', ({ removed }) => formatCount(removed)],
  ['kept', ({ kept }) => formatCount(kept)],
];
/** Columns from here on hold numbers. */
const FIRST_NUMBER = 2;

/** What was found in a recording and what became of it, for a terminal. */
export function exportTable(report: ExportReport, output: string | null): string[] {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...report.kinds.map((kind) => COLUMNS.map(([, text]) => text(kind))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((text, at) => (at < FIRST_NUMBER ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const size = formatBytes(report.output_bytes);
  return [
    output === null ? `The export would take ${size}.` : `${output}: ${size}`,
    '',
    ...rows.map(line),
    ...examples(report),
    ...staying(report),
  ];
}

/** Examples of what is in the recording, kind by kind. */
function examples({ kinds }: ExportReport): string[] {
  const shown = kinds.filter((kind) => kind.examples.length > 0);
  if (shown.length === 0) return [];
  return [
    '',
    'In the recording, not known to be harmless, for example:',
    ...shown.flatMap((kind) => [`  ${kind.kind}`, ...kind.examples.map((example) => `    ${example}`)]),
  ];
}

/** What stays readable because it is wanted so. */
function staying({ kinds }: ExportReport): string[] {
  const kept = kinds.filter((kind) => kind.kept > 0);
  if (kept.length === 0) return [];
  const names = kept.map((kind) => `${kind.kind} (${formatCount(kind.kept)})`).join(', ');
  return ['', `Stays readable: ${names}. Texts of one kind can hold those of another.`];
}

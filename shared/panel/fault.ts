import { EngineError } from '../engine/index.ts';
import { SqlFileError } from '../sql-file/index.ts';

/** Where and how a panel is wrong, for its writer. */
export interface PanelFault {
  /** From 1; null where all of it is. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** What an error says of the panel whose file holds `text`; null for an error that is none of the panel's. */
export function panelFault(error: unknown, text: string): PanelFault | null {
  if (error instanceof SqlFileError) return { line: error.line, column: null, message: error.reason };
  if (!(error instanceof EngineError) || error.kind !== 'sql') return null;
  const { message, place } = error;
  const lines = text.trimEnd().split('\n');
  // Of a table that it has not, the engine names no place but the statement's start.
  const table = /no such table: (\w+)/.exec(message)?.[1];
  if (table !== undefined) {
    const name = new RegExp(`\\b${table}\\b`);
    const row = lines.findIndex((line) => !line.trimStart().startsWith('--') && name.test(line));
    if (row !== -1) return { line: row + 1, column: (lines[row] ?? '').search(name) + 1, message };
  }
  // The end of the frame that the SELECT stands in is the end of the file.
  const line = place === null ? null : Math.min(place.line, lines.length);
  return { line, column: place?.column ?? null, message };
}

/** A fault as one line that names the file. */
export function faultText(file: string, { line, column, message }: PanelFault): string {
  const place = [
    ...(line === null ? [] : [`line ${line}`]),
    ...(column === null ? [] : [`column ${column}`]),
  ];
  return `${[file, ...place].join(', ')}: ${message}`;
}

import type { Cell } from '../engine/index.ts';

/** A value as JSON has it: integers beyond 2^53 as strings, bytes in hex. */
export function jsonValue(cell: Cell): number | string | null {
  if (typeof cell === 'bigint') return cell.toString();
  if (cell instanceof Uint8Array)
    return Array.from(cell, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return cell;
}

/** A line of comma-separated values as in RFC 4180. */
export function csvLine(fields: readonly string[]): string {
  const quoted = fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field));
  return `${quoted.join(',')}\r\n`;
}

/** Names of columns for a format that wants each once: of equal ones the second gets `_2`, and so on. */
export function uniqueNames(columns: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let number = 2; names.includes(name); number++) name = `${column}_${number}`;
    names.push(name);
  }
  return names;
}

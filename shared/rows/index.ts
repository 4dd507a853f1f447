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

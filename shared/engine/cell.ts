import type { Cell } from './result.ts';

/** A number, whatever the engine keeps it in; null for none. */
export function toNumber(cell: Cell | undefined): number | null {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : null;
}

/** A text; null for none. */
export function toText(cell: Cell | undefined): string | null {
  return typeof cell === 'string' ? cell : null;
}

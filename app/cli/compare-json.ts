import type { Reported } from './compare-text.ts';

/** The version of the JSON. */
const VERSION = 1;

/** A comparison for programs: an interval without an end has null there. Sums by block of time, and stacks, are for pictures, and left out. */
export function compareJson(comparison: Reported): string {
  const written = (key: string, value: unknown): unknown => {
    if (key === 'blocks_ns' || key === 'stacks') return undefined;
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  };
  return `${JSON.stringify({ version: VERSION, ...comparison }, written, 2)}\n`;
}

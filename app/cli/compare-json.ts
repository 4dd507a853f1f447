import type { Comparison } from '../../shared/compare/index.ts';

/** The version of the JSON. */
const VERSION = 1;

/** A comparison for programs: an interval without an end has null there. */
export function compareJson(comparison: Comparison): string {
  const withoutInfinity = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isFinite(value) ? null : value;
  return `${JSON.stringify({ version: VERSION, ...comparison }, withoutInfinity, 2)}\n`;
}

import { UsageError } from './command.ts';

const UNITS_NS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 } as const;

/** Reads a time: `30.3s`, `500ms`, `20us` and `5ns` count from the trace's start; a bare number is ns on its clock. */
export function parseTime(option: string, text: string, start_ns: number): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(s|ms|us|ns)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw new UsageError(`--${option} takes a time such as 30.3s or 1000000000, not "${text}"`);
  if (unit === undefined) return Math.round(Number(digits));
  return start_ns + Math.round(Number(digits) * UNITS_NS[unit as keyof typeof UNITS_NS]);
}

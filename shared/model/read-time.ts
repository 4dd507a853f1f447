const UNITS_NS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 } as const;

/**
 * Reads a time, in ns on the trace clock: `30.3s`, `500ms`, `20us` and `5ns` count from the trace's start `start_ns`; a bare number is
 * ns on its clock. Null for a text that is no time.
 */
export function readTime(text: string, start_ns: number): number | null {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(s|ms|us|ns)?$/.exec(text) ?? [];
  if (digits === undefined) return null;
  if (unit === undefined) return Math.round(Number(digits));
  return start_ns + Math.round(Number(digits) * UNITS_NS[unit as keyof typeof UNITS_NS]);
}

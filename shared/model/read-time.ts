const UNITS_NS = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 } as const;

/** When a recording begins on the trace clock; of one that was opened as a Perfetto trace, its summary says when. */
export const START_TS_NS = 1e9;

/**
 * What is wrong with a number that has no unit and, as ns on the trace clock, lies before the start of the trace; null of any other
 * text. Whoever writes `5` wants seconds. `name`: what takes the time.
 */
export function lackOfUnit(name: string, text: string, start_ns: number): string | null {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0 || Number(text) >= start_ns) return null;
  return `${name} takes a unit, such as ${text}s: a number without one is ns on the trace clock, which begins at ${start_ns}`;
}

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

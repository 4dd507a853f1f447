import type { Values } from './tables.ts';

/**
 * A table of what lasts has `ts` and `te`, `ts` and `dur`, or all three: the missing one is worked out. What has no length ends where it
 * begins. A table of files has a file's path or its key. Another table has the path of each key.
 */
const FROM: Readonly<Record<string, readonly string[]>> = {
  dur: ['te', 'ts'],
  path: ['file'],
  te: ['ts', 'dur'],
};

/** The columns to be read for those that are wanted: in place of one that is not there, those that it is worked out from. */
export function storedFor(wanted: readonly string[], isThere: (name: string) => boolean): readonly string[] {
  return [...new Set(wanted.flatMap((name) => (isThere(name) ? [name] : (FROM[name] ?? [name]))))];
}

/** `dur` or `te` where it is not there, worked out from those that were read; undefined where it cannot be. */
export function workedOut(
  name: string,
  read: Readonly<Record<string, Values | undefined>>,
): Values | undefined {
  const [first, second] = (FROM[name] ?? []).map((from) => read[from]?.values);
  if (first === undefined || second === undefined) return undefined;
  const values = new Float64Array(first.length);
  const sign = name === 'dur' ? -1 : 1;
  for (let row = 0; row < values.length; row++) values[row] = (first[row] ?? 0) + sign * (second[row] ?? 0);
  return { values, present: null, texts: null };
}

import type { NumberValues } from '../tables/index.ts';

/** The greatest of some values of a column, at least 0. */
export function greatest(values: NumberValues, from: number, to: number): number {
  let most = 0;
  for (let at = from; at < to; at++) most = Math.max(most, values[at] ?? 0);
  return most;
}

import { reach } from './bootstrap.ts';
import type { Difference } from './difference.ts';

/** How sure a difference is. */
export interface Certainty {
  /** The interval of the difference, which holds together with those of all other rows in 95 of 100 comparisons. Infinite: none is known. */
  readonly low: number;
  readonly high: number;
  /** Zero is not within. */
  readonly is_sure: boolean;
  /** In how many seconds (or traces, where a side has several) there was something. */
  readonly n: number;
}

/** How sure a difference is, one of so many that are told together. */
export function certainty(of: Difference, many: number): Certainty {
  const far = reach(of, many);
  const [low, high] = [of.delta - far, of.delta + far];
  return { low, high, is_sure: low > 0 || high < 0, n: of.n };
}

/** A difference of times, with how sure it is. */
export function numbersOf(of: Difference, many: number) {
  return { a_ns: of.a, b_ns: of.b, delta_ns: of.delta, ...certainty(of, many) };
}

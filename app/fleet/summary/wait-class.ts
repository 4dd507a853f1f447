/** How many classes of length there are. */
export const WAIT_CLASSES = 64;

/** The first class is of waits below 2^8.5 ns; each class is √2 as long as the one before. */
const FIRST_POWER = 8;

/** Where each class begins, in whole ns. */
const FROM_NS: readonly number[] = Array.from({ length: WAIT_CLASSES }, (_, of) =>
  of === 0 ? 0 : Math.ceil(2 ** (FIRST_POWER + of / 2)),
);

/** The class of a length in whole ns. */
export function waitClass(ns: number): number {
  if (ns >= 2 ** 32) return longClass(ns);
  const of = 2 * (LAST_BIT - Math.clz32(ns) - FIRST_POWER);
  if (of < 0) return 0;
  return ns >= (FROM_NS[of + 1] ?? Infinity) ? of + 1 : of;
}

/** The place of the last bit of 32. */
const LAST_BIT = 31;

function longClass(ns: number): number {
  let [low, high] = [0, WAIT_CLASSES - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ns >= (FROM_NS[middle] ?? Infinity)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The shortest length of a class in ns. */
export function classFrom(of: number): number {
  return FROM_NS[of] ?? 0;
}

/** The length in ns that all of a class are below; null for the last class. */
export function classBelow(of: number): number | null {
  return FROM_NS[of + 1] ?? null;
}

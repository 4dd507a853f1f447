import { STANDINGS } from '../standing.ts';
import { noUses, useOf, type CpuUse } from '../use.ts';
import { partAt, PARTS, type Held } from '../why.ts';

/** Of several that hold a thread back the first one counts. */
export const HELD: readonly Held[] = ['asleep', 'frozen', 'swapped_out'];

/** The uses of CPUs, each a bit of a number that holds those that there are. */
const USES = Object.keys(noUses()) as CpuUse[];

/** The bit of the use of a CPU, by {@link cpuNumber}. */
export const USE_BITS = Uint16Array.from({ length: STANDINGS.length * 8 }, (_, number) => {
  const use = useOf({
    standing: STANDINGS[number >> 3] ?? 'unknown',
    is_usable: (number & 4) !== 0,
    is_interrupted: (number & 2) !== 0,
    takes_it: (number & 1) !== 0,
  });
  return 1 << USES.indexOf(use);
});

/** The bit of the use of a CPU that the thread may use and no interrupt keeps, by its standing. */
export const PLAIN_USE_BITS = Uint16Array.from(
  STANDINGS,
  (_, standing) => USE_BITS[cpuNumber(standing, true, false, false)] ?? 0,
);

/** The bits of uses of CPUs that the thread may not use. */
export const ELSEWHERE = (1 << USES.indexOf('free_elsewhere')) | (1 << USES.indexOf('elsewhere'));

/** A CPU at an instant as a number. */
export function cpuNumber(
  standing: number,
  isUsable: boolean,
  isInterrupted: boolean,
  takesIt: boolean,
): number {
  return (standing << 3) | (isUsable ? 4 : 0) | (isInterrupted ? 2 : 0) | (takesIt ? 1 : 0);
}

const NOT_KNOWN = 255;
const known = new Uint8Array((HELD.length + 1) << (USES.length + 2)).fill(NOT_KNOWN);

/**
 * Which part of a wait an instant belongs to, as its place in `PARTS`: by what holds the thread back (its place in `HELD`, or the length
 * of that for nothing), and by the bits of the uses that CPUs are of.
 */
export function partNumberAt(held: number, uses: number, mayHaveRun: boolean, isMissing: boolean): number {
  const key = (((held << USES.length) | uses) << 2) | (mayHaveRun ? 2 : 0) | (isMissing ? 1 : 0);
  const before = known[key] ?? NOT_KNOWN;
  if (before !== NOT_KNOWN) return before;
  const counts = noUses();
  USES.forEach((use, bit) => (counts[use] = (uses >> bit) & 1));
  return (known[key] = PARTS.indexOf(partAt(HELD[held] ?? null, mayHaveRun, counts, isMissing ? 1 : 0)));
}

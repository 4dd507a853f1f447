import { isDelay, mainOf, noParts, sharesOf, type MainWhy, type Part } from './why.ts';

/** How many instants of each listed wait are looked at, besides the last one. */
export const INSTANTS = 5;

/** What is known of a listed wait besides its instants. */
export interface LateFacts {
  readonly dur: number;
  readonly ended: boolean;
  readonly swapped_out: boolean;
  readonly took_idle_cpu: boolean;
}

/** The main reason for a wait, estimated by the parts that a few instants of it belong to, the last one's at the end. */
export function whyOfParts(wait: LateFacts, seen: readonly Part[]): MainWhy {
  if (wait.dur <= 0) return 'not_explained';
  const parts = noParts();
  // In whole parts: in ns they would differ by what rounding leaves.
  for (const part of seen.slice(0, INSTANTS)) parts[part]++;
  const final = wait.ended ? freeAtEnd(seen) : 0;
  const delay_ns = isDelay((final * wait.dur) / INSTANTS, wait.took_idle_cpu) ? final : 0;
  return mainOf(sharesOf(parts, { ...wait, delay_ns }));
}

/** In how many of a wait's parts, counted back from its end, a CPU was free; 0 where none was at its last instant. */
export function freeAtEnd(seen: readonly Part[]): number {
  if (seen[INSTANTS] !== 'free') return 0;
  const before = seen.slice(0, INSTANTS).reverse();
  const others = before.findIndex((part) => part !== 'free');
  return others === -1 ? INSTANTS : others;
}

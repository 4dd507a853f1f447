import type { UseCounts } from './use.ts';
import { mainOf, noParts, partAt, sharesOf, type Held, type MainWhy, type Part } from './why.ts';

/** How many instants of each listed wait are looked at, besides the last one. */
export const INSTANTS = 5;

/** How the CPUs stood to a wait at one of its instants: a row of `instants.sql`. The last one has number `INSTANTS`. */
export interface Instant {
  readonly number: number;
  readonly held: Held | null;
  /** Events are lost of a CPU on which the thread may have run then. */
  readonly may_have_run: boolean;
  readonly counts: UseCounts;
  /** How many CPUs that the thread may use are not counted. */
  readonly missing: number;
}

/** What is known of a listed wait besides its instants. */
export interface LateFacts {
  readonly dur: number;
  readonly ended: boolean;
  readonly swapped_out: boolean;
  readonly took_idle_cpu: boolean;
}

/** The main reason for a wait, estimated from a few instants of it. An instant that is left out is not recorded. */
export function whyLate(wait: LateFacts, instants: readonly Instant[]): MainWhy {
  const seen = new Array<Part>(INSTANTS + 1).fill('not_recorded');
  for (const { number, held, may_have_run, counts, missing } of instants) {
    seen[number] = partAt(held, may_have_run, counts, missing);
  }
  const last = seen.pop();
  const part_ns = wait.dur / INSTANTS;
  const parts = noParts();
  for (const part of seen) parts[part] += part_ns;
  const fromEnd = [...seen].reverse().findIndex((part) => part !== 'free');
  const freeAtEnd = fromEnd === -1 ? INSTANTS : fromEnd;
  const final_ns = wait.ended && last === 'free' ? freeAtEnd * part_ns : 0;
  return mainOf(sharesOf(parts, { ...wait, final_ns }));
}

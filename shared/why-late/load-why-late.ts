import type { Query, Row } from '../engine/index.ts';
import { dataOf } from '../tables/index.ts';
import { estimateWhys, readWait } from './columns/index.ts';
import type { MainWhy } from './why.ts';

/** So many estimates are kept by trace, some 100 bytes each; then all are let go. */
const MAX_KEPT = 50_000;

/** Estimates of why threads ran late, by wait. They stay true, whatever is asked for next. */
export class WhyLateEstimates {
  readonly #whys = new Map<string, MainWhy>();

  /** The estimate for a wait, a row with `utid` and `ts`; undefined where there is none yet. */
  of(row: Row): MainWhy | undefined {
    return this.#whys.get(waitKey(row));
  }

  /**
   * Estimates why threads ran late, where that is not known: the main reason of each of some waits, from a few instants of
   * each. A wait is a row with `ts`, `te`, `utid`, `rank`, `priority`, `cpu`, `flags`, `last_ready_ts`.
   */
  async load(query: Query, waits: readonly Row[]): Promise<void> {
    if (this.#whys.size > MAX_KEPT) this.#whys.clear();
    const missing = waits.filter((wait) => this.of(wait) === undefined);
    if (missing.length === 0) return;
    const whys = await estimateWhys(dataOf(query).tables, missing.map(readWait));
    missing.forEach((wait, at) => this.#whys.set(waitKey(wait), whys[at] ?? 'not_explained'));
  }
}

const kept = new WeakMap<Query, WhyLateEstimates>();

/** The estimates that were made of a trace so far. */
export function whyLateEstimates(query: Query): WhyLateEstimates {
  const before = kept.get(query) ?? new WhyLateEstimates();
  kept.set(query, before);
  return before;
}

function waitKey({ utid, ts }: Row): string {
  return `${Number(utid)} ${Number(ts)}`;
}

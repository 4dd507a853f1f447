import type { Query, Row } from '../engine/index.ts';
import { dataOf } from '../tables/index.ts';
import { estimateWhys, readWait } from './columns/index.ts';
import boundSql from './bound.sql';
import heldSql from './held.sql';
import instantsSql from './instants.sql';
import pickedSql from './picked.sql';
import standingSql from './standing.sql';
import useSql from './use.sql';
import type { Held, MainWhy } from './why.ts';
import { INSTANTS, whyLate, type Instant, type LateFacts } from './why-late.ts';

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
   * each. A wait is a row with `ts`, `utid`, `dur`, `ended`, `swapped_out`, `took_idle_cpu`; where scheduling is in columns, with
   * `ts`, `te`, `utid`, `rank`, `priority`, `cpu`, `flags`, `last_ready_ts`.
   */
  async load(query: Query, waits: readonly Row[], cpuCount: number): Promise<void> {
    if (this.#whys.size > MAX_KEPT) this.#whys.clear();
    const missing = waits.filter((wait) => this.of(wait) === undefined);
    if (missing.length === 0) return;
    const data = dataOf(query);
    if (data.hasColumns) {
      const whys = await estimateWhys(data, missing.map(readWait));
      missing.forEach((wait, at) => this.#whys.set(waitKey(wait), whys[at] ?? 'not_explained'));
      return;
    }
    const instants = await loadInstants(query, missing, cpuCount);
    for (const wait of missing) {
      const key = waitKey(wait);
      this.#whys.set(key, whyLate(readFacts(wait), instants.get(key) ?? []));
    }
  }
}

const kept = new WeakMap<Query, WhyLateEstimates>();

/** The estimates that were made of a trace so far. */
export function whyLateEstimates(query: Query): WhyLateEstimates {
  const before = kept.get(query) ?? new WhyLateEstimates();
  kept.set(query, before);
  return before;
}

async function loadInstants(
  query: Query,
  waits: readonly Row[],
  cpuCount: number,
): Promise<ReadonlyMap<string, Instant[]>> {
  const instants = new Map<string, Instant[]>();
  const looked = await query(`${pickedSql}${heldSql}${boundSql}${standingSql}${useSql}${instantsSql}`, {
    waits: JSON.stringify(waits.map(({ utid, ts }) => [Number(utid), Number(ts)])),
    instants: INSTANTS,
    cpu_count: cpuCount,
  });
  for (const row of looked.rows()) {
    const of = instants.get(waitKey(row));
    const instant = readInstant(row);
    if (of === undefined) instants.set(waitKey(row), [instant]);
    else of.push(instant);
  }
  return instants;
}

function waitKey({ utid, ts }: Row): string {
  return `${Number(utid)} ${Number(ts)}`;
}

function readFacts(row: Row): LateFacts {
  return {
    dur: Number(row.dur),
    ended: row.ended === 1,
    swapped_out: row.swapped_out === 1,
    took_idle_cpu: row.took_idle_cpu === 1,
  };
}

function readInstant(row: Row): Instant {
  return {
    number: Number(row.number),
    held: row.held === null ? null : (row.held as Held),
    may_have_run: row.may_have_run === 1,
    missing: Number(row.missing),
    counts: {
      better_rank: Number(row.better_rank),
      priority: Number(row.priority),
      behind: Number(row.behind),
      unknown: Number(row.unknown),
      idle: Number(row.idle),
      interrupt: Number(row.interrupt),
      taking_interrupt: Number(row.taking_interrupt),
      free_elsewhere: Number(row.free_elsewhere),
      elsewhere: Number(row.elsewhere),
    },
  };
}

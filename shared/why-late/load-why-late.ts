import type { Query, Row } from '../engine/index.ts';
import boundSql from './bound.sql';
import heldSql from './held.sql';
import instantsSql from './instants.sql';
import pickedSql from './picked.sql';
import standingSql from './standing.sql';
import useSql from './use.sql';
import type { Held, MainWhy } from './why.ts';
import { INSTANTS, whyLate, type Instant, type LateFacts } from './why-late.ts';

/** What was asked for last, by trace: another grouping of the same waits needs no more of the engine. */
const kept = new WeakMap<
  Query,
  { readonly keys: string; readonly instants: ReadonlyMap<string, Instant[]> }
>();

/**
 * Estimates why threads ran late: the main reason of each of some waits, from a few instants of each. A wait is a row with
 * `ts`, `utid`, `dur`, `ended`, `swapped_out`, `took_idle_cpu`; the function that is returned takes one of them.
 */
export async function loadWhyLate(
  query: Query,
  waits: readonly Row[],
  cpuCount: number,
): Promise<(row: Row) => MainWhy> {
  const keys = JSON.stringify(waits.map(({ utid, ts }) => [Number(utid), Number(ts)]));
  const before = kept.get(query);
  const instants = before?.keys === keys ? before.instants : await loadInstants(query, keys, cpuCount);
  kept.set(query, { keys, instants });
  return (row) => whyLate(readFacts(row), instants.get(waitKey(row)) ?? [], cpuCount);
}

async function loadInstants(
  query: Query,
  keys: string,
  cpuCount: number,
): Promise<ReadonlyMap<string, Instant[]>> {
  const instants = new Map<string, Instant[]>();
  const looked = await query(`${pickedSql}${heldSql}${boundSql}${standingSql}${useSql}${instantsSql}`, {
    waits: keys,
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
    known: Number(row.known),
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

import { toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { IoModel, IoOther, IoOthers, IoWait } from './model.ts';
import othersSql from './others.sql';
import waitsSql from './waits.sql';

/** A completion readies the thread at once: so much may lie between the two events. */
const NEAR_NS = 100_000;
/** How many other threads of an I/O are named. */
const MAX_OTHERS = 5;

type Names = ReadonlyMap<number, ThreadName>;

/** Adds the waits that ended with the listed I/Os, which take long to find. */
export async function loadWaits(query: Query, model: IoModel): Promise<IoModel> {
  const { outline, tables } = dataOf(query);
  const ends = model.ios.map(({ ts, dur }) => (dur === null ? null : ts + dur));
  const names = await loadThreadNames(tables);
  const result = await outline(waitsSql, {
    ios: JSON.stringify(model.ios.map(({ utid, ts }, row) => [utid, ts, ends[row]])),
    near_ns: NEAR_NS,
    source: model.source,
  });
  const found = new Map([...result.rows()].map((row) => [Number(row.row), row]));
  const waits = model.ios.map((_, row) => {
    const wait = found.get(row);
    return wait === undefined ? null : readWait(wait, names);
  });
  const moments = model.ios.map(({ utid, ts }, row) => [
    utid,
    ts,
    // An operation on a file goes on after its thread was readied.
    waits[row]?.ready_ts ?? ends[row],
    toNumber(found.get(row)?.waker_utid),
  ]);
  return { ...model, waits, others: await loadOthers(outline, moments, names) };
}

function readWait(row: Row, names: Names): IoWait {
  const waker = toNumber(row.waker_utid);
  return {
    ts: Number(row.ts),
    ready_ts: Number(row.ready_ts),
    run_ts: toNumber(row.run_ts),
    readied_by: row.waker_in_dpc === 1 ? 'a DPC' : waker === null ? null : threadLabel(names.get(waker)),
  };
}

async function loadOthers(
  query: Query,
  ios: readonly unknown[],
  names: Names,
): Promise<readonly (IoOthers | null)[]> {
  const bindings = { ios: JSON.stringify(ios), near_ns: NEAR_NS, max_others: MAX_OTHERS };
  const found = new Map<number, { count: number; longest: IoOther[] }>();
  for (const row of (await query(othersSql, bindings)).rows()) {
    const others = found.get(Number(row.row)) ?? { count: Number(row.others), longest: [] };
    others.longest.push({
      thread: threadLabel(names.get(Number(row.utid))),
      ts: Number(row.ts),
      ready_ts: Number(row.ready_ts),
    });
    found.set(Number(row.row), others);
  }
  return ios.map((_, row) => found.get(row) ?? null);
}

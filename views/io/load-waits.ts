import { toNumber, type Query, type Row } from '../../shared/engine/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { IoModel, IoWait } from './model.ts';
import waitsSql from './waits.sql';

/** A completion readies the thread at once: so much may lie between the two events. */
const NEAR_NS = 100_000;

/** Adds the waits that ended with the listed I/Os, which needs tables that take long to build. */
export async function loadWaits(query: Query, model: IoModel): Promise<IoModel> {
  const ios = model.ios.map(({ utid, ts, dur }) => [utid, ts, dur === null ? null : ts + dur]);
  const names = await loadThreadNames(query);
  const result = await query(waitsSql, {
    ios: JSON.stringify(ios),
    near_ns: NEAR_NS,
    source: model.source,
  });
  const waits = new Array<IoWait | null>(ios.length).fill(null);
  for (const row of result.rows()) waits[Number(row.row)] = readWait(row, names);
  return { ...model, waits };
}

function readWait(row: Row, names: ReadonlyMap<number, ThreadName>): IoWait {
  const waker = toNumber(row.waker_utid);
  return {
    ts: Number(row.ts),
    ready_ts: Number(row.ready_ts),
    run_ts: toNumber(row.run_ts),
    readied_by: row.waker_in_dpc === 1 ? 'a DPC' : waker === null ? null : threadLabel(names.get(waker)),
  };
}

import { keepLast, type Query } from '../engine/index.ts';
import { coversTrace, dataOf, readTraceFacts, type Stretch } from '../tables/index.ts';
import { asleepIn } from './asleep.ts';
import { blocksAround, type RangeBlocks } from './kept-blocks.ts';
import { loadBlockedSums } from './sum-blocked.ts';
import { WokenWaits, type WaitsFor } from './woken-waits.ts';

/** How long each thread waited for each other one in a range. Waits for work do not count. */
export async function loadWaitsFor(query: Query, range: Stretch): Promise<readonly WaitsFor[]> {
  const blocks = await blocksAround(query, range);
  if (await areOfTrace(query, blocks))
    return keepWaits(query, `${range.start} ${range.end}`, () => wokenWaits(query, range, blocks));
  const { groups } = await loadBlockedSums(query, { range, utids: null, withWork: false }, null);
  const { waker, ns } = groups;
  return Array.from(groups.utid, (utid, row) => ({ utid, waker: waker[row] ?? 0, ns: ns[row] ?? 0 }));
}

const keepWaits = keepLast<readonly WaitsFor[]>();

/** Whether all blocks of a trace are kept. Who ends a block after a range is not known of this range alone. */
async function areOfTrace(query: Query, { range, areAll }: RangeBlocks): Promise<boolean> {
  const facts = areAll ? await readTraceFacts(dataOf(query).tables) : null;
  return facts !== null && coversTrace({ range_start: range.start, range_end: range.end }, facts);
}

async function wokenWaits(
  query: Query,
  range: Stretch,
  { events }: RangeBlocks,
): Promise<readonly WaitsFor[]> {
  const { tables } = dataOf(query);
  const waits = new WokenWaits(range, await asleepIn(tables, range));
  for (const some of events) if (some.first_ts >= range.start) waits.take(some);
  // The blocks that had begun before the first switches of the trace, as far as these tell it.
  const begun = new Map<number, number>();
  for await (const { rowCount, columns } of tables.batches('etw_run_before', ['ts', 'utid']))
    for (let row = 0; row < rowCount; row++)
      begun.set(columns.utid.values[row] ?? 0, columns.ts.values[row] ?? 0);
  const open = events.at(-1)?.open;
  const first = new Map(Array.from(open?.utids ?? [], (utid, at) => [utid, open?.wake_ts[at]]));
  return waits.sums((utid, wake_ts) =>
    first.get(utid) === wake_ts ? (begun.get(utid) ?? wake_ts) : range.start,
  );
}

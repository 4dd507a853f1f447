import { keepLast, type Query } from '../engine/index.ts';
import { coversTrace, dataOf, readTraceFacts, type Stretch, type Tables } from '../tables/index.ts';
import { asleepIn } from './asleep.ts';
import { blocksAround, type RangeBlocks } from './kept-blocks.ts';
import { loadBlockedSums } from './sum-blocked.ts';
import { WaitsStretches } from './waits-stretches.ts';
import type { WaitsFor } from './woken-waits.ts';

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
const keepStretches = keepLast<WaitsStretches, RangeBlocks>();

/** Whether all blocks of a trace are kept. Who ends a block after a range is not known of this range alone. */
async function areOfTrace(query: Query, { range, areAll }: RangeBlocks): Promise<boolean> {
  const facts = areAll ? await readTraceFacts(dataOf(query).tables) : null;
  return facts !== null && coversTrace({ range_start: range.start, range_end: range.end }, facts);
}

async function wokenWaits(query: Query, range: Stretch, blocks: RangeBlocks): Promise<readonly WaitsFor[]> {
  const { tables } = dataOf(query);
  const known = await keepStretches(blocks, '', async () => {
    const asleep = await asleepIn(tables, blocks.range);
    return new WaitsStretches(blocks, asleep, await begunBefore(tables, blocks));
  });
  return known.sumsIn(range);
}

/** By thread that had blocked before the first switches of a trace: when, in ns. Of one that they do not tell, when it was woken. */
async function begunBefore(tables: Tables, { events }: RangeBlocks): Promise<ReadonlyMap<number, number>> {
  const begun = new Map<number, number>();
  for await (const { rowCount, columns } of tables.batches('etw_run_before', ['ts', 'utid']))
    for (let row = 0; row < rowCount; row++)
      begun.set(columns.utid.values[row] ?? 0, columns.ts.values[row] ?? 0);
  const open = events.at(-1)?.open;
  return new Map(
    Array.from(open?.utids ?? [], (utid, at) => [utid, begun.get(utid) ?? open?.wake_ts[at] ?? 0]),
  );
}

import { eachWaited, type Flags } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import type { Blocks } from './blocks.ts';
import type { Cells } from './cells.ts';
import { FlatSums } from './flat-sums.ts';
import type { Things } from './things.ts';

/**
 * Sums how long others waited for each thread, as *Blame* divides these waits: each ns goes to one thread. `isForWork` has the rows of
 * `etw_ready_wait` whose threads had blocked for work.
 */
export async function sumBlame(
  query: Query,
  blocks: Blocks,
  things: Things,
  cells: Cells,
  isForWork: Flags,
): Promise<void> {
  const sums = new FlatSums(blocks);
  /** The numbers of cells, by the keys of threads. */
  const known: number[] = [];
  await eachWaited(query, blocks.range, isForWork, (utid, ts, te, others) => {
    const cell = (known[utid] ??= sums.numberOf(cells.of(things.threadOf(utid), { measure: 'blame' })));
    sums.addStretch(cell, ts, te, others);
    sums.keepMost(cell, others * (te - ts), ts, te, utid);
  });
  sums.finish(things);
}

import type { Query } from '../../engine/index.ts';
import { dataOf } from '../../tables/index.ts';
import { eachMainReason } from './main-reasons.ts';

/**
 * The main reason of every ready wait of a trace, by row of `etw_ready_wait`: the place in `WHYS`. Waits for its `turn` after each stretch
 * of waits.
 */
export async function reasonsByRow(
  query: Query,
  turn: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { tables } = dataOf(query);
  const reasons = new Uint8Array(await tables.rowCount('etw_ready_wait'));
  let count = 0;
  await eachMainReason(query, await tables.rowCount('etw_run'), (_, rows, whys) => {
    count = put(reasons, count, rows, whys);
    return turn();
  });
  if (count !== reasons.length)
    throw new RangeError(`${count} of ${reasons.length} ready waits have a reason`);
  return reasons;
}

function put(reasons: Uint8Array, count: number, rows: Uint32Array, whys: Uint8Array): number {
  for (let at = 0; at < rows.length; at++) reasons[count + at] = whys[rows[at] ?? 0] ?? 0;
  return count + rows.length;
}

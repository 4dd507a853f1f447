import { oncePerTrace } from '../../shared/engine/index.ts';
import type { Births } from './live.ts';
import threadsSql from './threads.sql';

/** When the threads of each process, by upid, were created and ended. Asked for once. */
export const loadBirths = oncePerTrace(async (query) => {
  const rows = await query(threadsSql);
  return groupBirths(rows.numbers('upid'), rows.numbers('create_ts'), rows.numbers('exit_ts'));
});

/** Puts the times of each process into lists in the order of time. An end of 0 is none. */
export function groupBirths(
  upid: Float64Array,
  created: Float64Array,
  ended: Float64Array,
): ReadonlyMap<number, Births> {
  const sizes = new Map<number, { created: number; ended: number }>();
  upid.forEach((process, row) => {
    const size = sizes.get(process) ?? { created: 0, ended: 0 };
    size.created++;
    if (ended[row] !== 0) size.ended++;
    sizes.set(process, size);
  });
  const births = new Map<number, Births>();
  for (const [process, size] of sizes) {
    births.set(process, { created: new Float64Array(size.created), ended: new Float64Array(size.ended) });
    size.created = size.ended = 0;
  }
  upid.forEach((process, row) => {
    const [lists, size] = [births.get(process), sizes.get(process)];
    if (lists === undefined || size === undefined) return;
    lists.created[size.created++] = created[row] ?? 0;
    if (ended[row] !== 0) lists.ended[size.ended++] = ended[row] ?? 0;
  });
  for (const lists of births.values()) {
    lists.created.sort();
    lists.ended.sort();
  }
  return births;
}

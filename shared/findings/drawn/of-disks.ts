import { dataOf } from '../../tables/index.ts';
import type { Draw } from './draw.ts';

/** A few transfers tell nothing of a disk. */
const FEWEST_TRANSFERS = 20;

/** Whether any disk is slow; of one that is, SQL tells who waited. */
export const slowDisk: Draw = async ({ query }, threshold) => {
  const ofDisk = new Map<number, number[]>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_disk_io', ['disk', 'dur'])) {
    for (let row = 0; row < rowCount; row++) {
      const disk = columns.disk.values[row] ?? 0;
      const own = ofDisk.get(disk) ?? [];
      ofDisk.set(disk, own);
      own.push(columns.dur.values[row] ?? 0);
    }
  }
  const isSlow = [...ofDisk.values()].some((own) => {
    if (own.length < FEWEST_TRANSFERS) return false;
    const lengths = Float64Array.from(own).sort();
    return (lengths[Math.floor((own.length * 95 + 99) / 100) - 1] ?? 0) >= threshold;
  });
  return isSlow ? null : [];
};

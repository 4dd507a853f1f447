import { dataOf } from '../../tables/index.ts';
import { loadUserLock, longestHolder } from '../../threads/index.ts';
import type { Draw } from './draw.ts';

/** Where no thread held the lock for half of a long wait nothing is found; else SQL tells what the holder did. */
export const userLockContention: Draw = async ({ query }, threshold) => {
  const lock = await loadUserLock(dataOf(query).tables);
  const wasKept = lock.waits.some(
    (wait) => wait.dur >= threshold && 2 * (longestHolder(wait, lock, 0)?.held_ns ?? 0) >= wait.dur,
  );
  return wasKept ? null : [];
};

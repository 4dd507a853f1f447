import { reasonsByRow } from '../../shared/causes/index.ts';
import type { Query } from '../../shared/engine/index.ts';

/** The codes of the main reasons of all ready waits, by row. A worker that is asked this has nothing else to do. */
export function reason(query: Query): Promise<Uint8Array> {
  return reasonsByRow(query, () => Promise.resolve());
}

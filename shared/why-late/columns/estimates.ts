import type { Tables } from '../../tables/index.ts';
import { whyOfParts } from '../why-late.ts';
import { PARTS, type MainWhy } from '../why.ts';
import { INSTANTS_OF_WAIT, lookAtWaits } from './instants.ts';
import { wasSwappedOut, type Wait } from './wait.ts';
import { WaitColumns } from './wait-columns.ts';

/** Why threads ran late: the main reason of each wait, estimated from a few instants of it. */
export async function estimateWhys(tables: Tables, waits: readonly Wait[]): Promise<MainWhy[]> {
  const { parts, took_idle_cpu } = await lookAtWaits(tables, WaitColumns.of(waits));
  return waits.map((wait, index) => {
    const first = index * INSTANTS_OF_WAIT;
    const seen = Array.from(
      parts.subarray(first, first + INSTANTS_OF_WAIT),
      (part) => PARTS[part] ?? 'not_recorded',
    );
    return whyOfParts(
      {
        dur: wait.te - wait.ts,
        ended: wait.cpu !== null,
        // Of one ready event alone nothing tells until when.
        swapped_out: wasSwappedOut(wait) && wait.last_ready_ts === null,
        took_idle_cpu: took_idle_cpu[index] === 1,
      },
      seen,
    );
  });
}

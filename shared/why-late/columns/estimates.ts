import { whyLate } from '../why-late.ts';
import type { MainWhy } from '../why.ts';
import { lookAtWaits } from './instants.ts';
import type { Sources } from './sources.ts';
import { wasSwappedOut, type Wait } from './wait.ts';

/** Why threads ran late: the main reason of each wait, estimated from a few instants of it. */
export async function estimateWhys(sources: Sources, waits: readonly Wait[]): Promise<MainWhy[]> {
  const seen = await lookAtWaits(sources, waits);
  return waits.map((wait, index) => {
    const { instants = [], took_idle_cpu = false } = seen[index] ?? {};
    const facts = {
      dur: wait.te - wait.ts,
      ended: wait.cpu !== null,
      // Of one ready event alone nothing tells until when.
      swapped_out: wasSwappedOut(wait) && wait.last_ready_ts === null,
      took_idle_cpu,
    };
    return whyLate(facts, instants);
  });
}

import type { Stretch, Tables } from '../tables/index.ts';
import { loadMachine } from '../why-late/columns/index.ts';
import { merged, type Span } from './stretches.ts';

/** When the machine slept in a range, in the order of time. */
export async function asleepIn(tables: Tables, { start, end }: Stretch): Promise<readonly Span[]> {
  const holds = (await loadMachine(tables)).stoodStill(0, start, end);
  return merged(holds.filter(({ why }) => why === 'asleep'));
}

/** How much of a stretch lies in none of these spans, in ns. */
export function outside(ts: number, te: number, spans: readonly Span[]): number {
  let ns = te - ts;
  for (const span of spans) ns -= Math.max(0, Math.min(span.te, te) - Math.max(span.ts, ts));
  return ns;
}

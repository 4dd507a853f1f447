import { PARTS, type Held } from '../../why-late/index.ts';
import type { Machine, Wait } from '../../why-late/columns/index.ts';
import type { Span } from '../stretches.ts';

/** What keeps a thread back, whatever the CPUs do, in all of a stretch of its wait. */
export interface KeptBack {
  /** It could not run at all. */
  readonly held: Held | null;
  /** The CPUs that it may not use, in ascending order. */
  readonly barred: readonly number[];
}

export const NOT_KEPT_BACK: KeptBack = { held: null, barred: [] };

/** What keeps the thread of a wait back in a stretch of it; null if that changes within. */
export function keptBack(machine: Machine, wait: Wait, { ts, te }: Span): KeptBack | null {
  const touches = (span: Span) => span.ts < te && span.te > ts;
  const covers = (span: Span) => span.ts <= ts && span.te >= te;
  // The first one counts, by the order of the parts.
  const [first] = machine
    .holdsOf(wait)
    .filter(touches)
    .sort((a, b) => PARTS.indexOf(a.why) - PARTS.indexOf(b.why) || Number(covers(b)) - Number(covers(a)));
  if (first !== undefined) return covers(first) ? { held: first.why, barred: [] } : null;
  const bounds = machine.boundsOf(wait).filter(touches);
  if (!bounds.every(covers)) return null;
  const cpus = Array.from({ length: machine.cpu_count }, (_, cpu) => cpu);
  return { held: null, barred: cpus.filter((cpu) => bounds.some((bound) => !bound.cpus.has(cpu))) };
}

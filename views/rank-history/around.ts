import type { Tables } from '../../shared/tables/index.ts';
import { focusAt, loadFocus } from '../../shared/threads/index.ts';
import { loadMachine } from '../../shared/why-late/columns/index.ts';
import type { Change } from './change-times.ts';

/** What happened around a change of a thread's rank. */
interface Around {
  /** The processes that had the focus when the rank was recorded; null where none had. */
  readonly focus: string | null;
  /** How long the thread's process was frozen, and the machine slept, while the thread kept the rank. */
  readonly frozen_ns: number;
  readonly asleep_ns: number;
}

/** Reads what happened around changes of ranks. */
export async function loadAround(tables: Tables, changes: readonly Change[]): Promise<readonly Around[]> {
  const spans = await loadFocus(tables);
  const machine = await loadMachine(tables);
  return changes.map(({ utid, ts, te }) => {
    const inFocus = new Set(focusAt(spans, ts).flatMap(({ process }) => process ?? []));
    const still_ns = { frozen: 0, asleep: 0, swapped_out: 0 };
    for (const hold of machine.stoodStill(utid, ts, te))
      still_ns[hold.why] += Math.min(hold.te, te) - Math.max(hold.ts, ts);
    return {
      focus: inFocus.size === 0 ? null : [...inFocus].join(),
      frozen_ns: still_ns.frozen,
      asleep_ns: still_ns.asleep,
    };
  });
}

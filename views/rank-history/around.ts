import type { Recording } from '../../shared/recording/index.ts';
import type { Tables } from '../../shared/tables/index.ts';
import { focusAt, loadFocus } from '../../shared/threads/index.ts';
import { loadMachine } from '../../shared/why-late/columns/index.ts';
import type { Kept } from './change-times.ts';
import type { RankChange } from './model.ts';

/** Reads what tells what happened as a thread's rank changed, and while the thread kept the new one. */
export async function loadAround(
  tables: Tables,
  recording: Recording,
): Promise<(kept: Kept) => Pick<RankChange, 'focus' | 'frozen_ns' | 'asleep_ns'>> {
  const spans = await loadFocus(tables);
  const machine = await loadMachine(tables);
  return ({ utid, ts, te }) => {
    const inFocus = new Set(focusAt(spans, ts).flatMap(({ process }) => process ?? []));
    const still_ns = { frozen: 0, asleep: 0, swapped_out: 0 };
    for (const hold of machine.stoodStill(utid, ts, te))
      still_ns[hold.why] += Math.min(hold.te, te) - Math.max(hold.ts, ts);
    return {
      focus: inFocus.size === 0 ? null : [...inFocus].join(),
      frozen_ns: recording.has('freezes') ? still_ns.frozen : null,
      asleep_ns: recording.has('sleeps') ? still_ns.asleep : null,
    };
  };
}

import { formatCount } from '../../shared/model/index.ts';
import { COMPACT_SWITCHES, WAITING_UNRECORDED } from '../kit/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED = WAITING_UNRECORDED;

/** What a trace holds of what this view needs. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_ready_threads: boolean;
  readonly has_compact_switches: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  const { has_switches, has_ready_threads, has_compact_switches, losses } = recorded;
  if (!has_switches) {
    return [UNRECORDED];
  }
  const notes: string[] = [];
  if (has_compact_switches) {
    notes.push(COMPACT_SWITCHES);
  }
  if (!has_ready_threads) {
    notes.push(
      `No ready-thread events were recorded${has_compact_switches ? '' : ': only waits of preempted threads are shown'}. Record with the kernel flag DISPATCHER (in WPR: keyword ReadyThread).`,
    );
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(
      `Events were lost in ${gaps} of this range: waits there may be missing, too long, or joined from two.`,
    );
  }
  return notes;
}

import { formatCount } from '../../shared/model/index.ts';
import { COMPACT_SWITCHES, WAITING_UNRECORDED } from '../kit/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED = WAITING_UNRECORDED;

/** What a trace holds of what this view needs: the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_ready_threads: boolean;
  readonly has_ranks: boolean;
  readonly has_compact_switches: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  if (!recorded.has_switches) {
    return [UNRECORDED];
  }
  const notes: string[] = [];
  if (recorded.has_compact_switches) {
    notes.push(COMPACT_SWITCHES, 'Waits of preempted threads are therefore not known.');
  }
  if (!recorded.has_ready_threads) {
    notes.push(
      `No ready-thread events were recorded: when a waiting thread became ready is not known${recorded.has_compact_switches ? '' : ', only preemptions are shown'}. Record with the kernel flag DISPATCHER (in WPR: keyword ReadyThread).`,
    );
  }
  if (!recorded.has_ranks && !recorded.has_compact_switches) {
    notes.push(
      'Thread ranks were not recorded: they come with context switches of version 2 or later, not with compact ones.',
    );
  }
  if (recorded.losses > 0) {
    const gaps = recorded.losses === 1 ? 'one gap' : `${formatCount(recorded.losses)} gaps`;
    notes.push(
      `Events were lost in ${gaps} of this range: waits and runs there may be missing, too long, or joined from two.`,
    );
  }
  return notes;
}

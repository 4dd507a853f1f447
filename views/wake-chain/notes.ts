import { COMPACT_SWITCHES } from '../kit/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'No context switches were recorded, so nothing is known of wakes. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).';

/** What a trace holds of what this view needs: the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_ready_threads: boolean;
  readonly has_compact_switches: boolean;
  readonly has_losses: boolean;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  const { has_switches, has_ready_threads, has_compact_switches, has_losses } = recorded;
  if (!has_switches) {
    return [UNRECORDED];
  }
  const notes: string[] = [];
  if (has_compact_switches) {
    notes.push(COMPACT_SWITCHES);
  }
  if (!has_ready_threads) {
    notes.push(
      'No ready-thread events were recorded: who woke whom is not known. Record with the kernel flag DISPATCHER (in WPR: keyword ReadyThread).',
    );
  }
  if (has_losses) {
    notes.push(
      'Events were lost in this trace: wakes may be missing, and a chain across a gap may be wrong.',
    );
  }
  return notes;
}

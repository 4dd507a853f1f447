import { formatCount } from '../../shared/model/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'No processes were recorded. Record with the kernel flag PROC_THREAD (in WPR: any profile).';

/** What a trace holds of what this view needs. */
export interface Recorded {
  readonly has_processes: boolean;
  readonly has_lives: boolean;
  readonly has_services: boolean;
  readonly exits_unknown: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  const { has_processes, has_lives, has_services, exits_unknown } = recorded;
  if (!has_processes) return [UNRECORDED];
  const notes: string[] = [];
  if (!has_lives) {
    notes.push(
      'No process was created or ended while this was recorded, or that was not recorded: the kernel flag PROC_THREAD tells (in WPR: any profile).',
    );
  }
  if (!has_services) {
    notes.push(
      'Services were not recorded: which process hosts which is written by every kernel session of Windows 7 and later, where it ends.',
    );
  }
  if (exits_unknown > 0) {
    notes.push(
      `Of ${formatCount(exits_unknown)} ended processes it is not known when their exit began: neither that nor the end of a thread of theirs was recorded.`,
    );
  }
  return notes;
}

/** What is missing where exits took time, but what they waited for was not recorded. */
export const NO_WAKES =
  'What exits waited for was not recorded. Record with the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile).';

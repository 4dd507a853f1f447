/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'Neither context switches nor samples were recorded, so it is not known who ran. Record with the kernel flags CSWITCH and PROFILE (in WPR: the CPU profile).';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_samples: boolean;
  readonly has_stacks: boolean;
  readonly has_losses: boolean;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_switches, has_samples, has_stacks, has_losses }: Recorded): string[] {
  if (!has_switches && !has_samples) return [UNRECORDED];
  const notes: string[] = [];
  if (!has_switches) {
    notes.push(
      'No context switches were recorded: CPU time is samples × interval. Record with the kernel flag CSWITCH (in WPR: the CPU profile).',
    );
  }
  if (!has_samples) {
    notes.push(
      'No samples were recorded: user and kernel time and stacks are not known. Record with the kernel flag PROFILE (in WPR: the CPU profile).',
    );
  } else if (!has_stacks) {
    notes.push('The samples have no stacks: the frame that recurs is the innermost one alone.');
  }
  if (has_losses) notes.push('Events were lost: CPU time there is missing, or with the wrong thread.');
  return notes;
}

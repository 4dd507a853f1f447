import { formatCount } from '../../shared/model/index.ts';

const NO_SWITCHES =
  'No context switches were recorded, and ranks come with them. Record with the kernel flag CSWITCH (in WPR: the CPU profile).';
const NO_RANKS =
  'Thread ranks were not recorded: they come with context switches of version 2 or later, not with compact ones.';

/** The only note where nothing that this view needs was recorded is one of these. */
export const UNRECORDED: readonly string[] = [NO_SWITCHES, NO_RANKS];

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_ranks: boolean;
  readonly has_focus: boolean;
  readonly has_freezes: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded): string[] {
  if (!recorded.has_switches) {
    return [NO_SWITCHES];
  }
  if (!recorded.has_ranks) {
    return [NO_RANKS];
  }
  const notes: string[] = [];
  if (!recorded.has_focus) {
    notes.push(
      'Changes of the focus were not recorded. Record the provider Microsoft-Windows-Win32k with the keyword 0x2000.',
    );
  }
  if (!recorded.has_freezes) {
    notes.push(
      'No process was frozen, or freezes were not recorded: they come from the provider Microsoft-Windows-Kernel-Process.',
    );
  }
  if (recorded.losses > 0) {
    const gaps = recorded.losses === 1 ? 'one gap' : `${formatCount(recorded.losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range: a rank may have changed there unseen.`);
  }
  return notes;
}

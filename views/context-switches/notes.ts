import { formatCount } from '../../shared/model/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'No context switches were recorded, so it is not known how often CPUs switched. Record with the kernel flag CSWITCH (in WPR: the CPU profile).';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_switches: boolean;
  readonly has_samples: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_switches, has_samples, losses }: Recorded): string[] {
  if (!has_switches) {
    return [UNRECORDED];
  }
  const notes: string[] = [];
  if (!has_samples) {
    notes.push(
      'No samples were recorded: kernel time is not known. Record with the kernel flag PROFILE (in WPR: the CPU profile).',
    );
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range: there were more context switches than these.`);
  }
  return notes;
}

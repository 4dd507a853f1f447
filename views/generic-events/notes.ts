import { formatCount } from '../../shared/model/index.ts';

/** The only note where nothing that this view needs was recorded. */
export const UNRECORDED =
  'The trace has no events of providers. Record with a provider switched on (in WPR: a custom profile; xperf: -on NAME).';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_events: boolean;
  readonly selected_kinds: string | null;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_events, selected_kinds, losses }: Recorded): string[] {
  if (!has_events && selected_kinds === null) return [UNRECORDED];
  const notes: string[] = [];
  if (!has_events) {
    notes.push(`The part that was opened has no events of providers; it was: ${selected_kinds}.`);
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range.`);
  }
  return notes;
}

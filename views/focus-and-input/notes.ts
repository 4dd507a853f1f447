import { formatCount } from '../../shared/model/index.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_focus: boolean;
  readonly has_input: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_focus, has_input, losses }: Recorded): string[] {
  const notes: string[] = [];
  if (!has_focus) {
    notes.push(
      'The trace holds no change of the focus: it stayed where it was, or that was not recorded. Record the provider Microsoft-Windows-Win32k with the keyword 0x2000 (Focus).',
    );
  }
  if (!has_input) {
    notes.push(
      'The trace holds no input: the user did nothing, or that was not recorded. UIforETW records it (its provider is Multi-Input; set "Input tracing" there).',
    );
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range: changes of the focus and input may be missing.`);
  }
  return notes;
}

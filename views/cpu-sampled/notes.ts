import { formatCount } from '../../shared/model/index.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_samples: boolean;
  readonly has_stacks: boolean;
  readonly has_symbols: boolean;
  readonly losses: number;
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_samples, has_stacks, has_symbols, losses }: Recorded): string[] {
  if (!has_samples) {
    return ['No samples were recorded. Record with the kernel flag PROFILE (in WPR: the CPU profile).'];
  }
  const notes: string[] = [];
  if (!has_stacks) {
    notes.push(
      'The samples have no stacks: callers are not known. Record stacks for SampledProfile (in WPR: the CPU profile).',
    );
  }
  if (!has_symbols) {
    notes.push('No symbols: native code is named by its module and the address of the instruction in it.');
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range: samples there are missing.`);
  }
  return notes;
}

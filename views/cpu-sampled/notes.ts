import { formatCount } from '../../shared/model/index.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly has_samples: boolean;
  readonly has_stacks: boolean;
  readonly has_symbols: boolean;
  readonly losses: number;
}

const RECORD_SAMPLES = 'Record with the kernel flag PROFILE (in WPR: the CPU profile).';
const NO_SAMPLES = `No samples were recorded, so it is not known which code ran. ${RECORD_SAMPLES}`;

/** What stands in for the picture of a model without samples. */
export function emptyWords({
  notes,
  all_samples,
}: {
  readonly notes: readonly string[];
  readonly all_samples: number;
}): readonly [title: string, text: string] {
  if (notes.includes(NO_SAMPLES)) return ['Not recorded', NO_SAMPLES];
  if (all_samples === 0) return ['No samples here', 'In this range no sample was taken.'];
  return ['No samples here', 'In this range no sample was taken that the filters let through.'];
}

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes({ has_samples, has_stacks, has_symbols, losses }: Recorded): string[] {
  if (!has_samples) {
    return [NO_SAMPLES];
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

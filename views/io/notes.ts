import { formatCount } from '../../shared/model/index.ts';
import type { Source } from './model.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly sources: readonly Source[];
  readonly has_file_ends: boolean;
  readonly selected_kinds: string | null;
  readonly losses: number;
}

const FLAGS: Record<Source, string> = {
  disk: 'transfers of disks: record with the kernel flag DISK_IO (in WPR: -start DiskIO)',
  file: 'operations on files: record with the kernel flags FILE_IO and FILE_IO_INIT (in WPR: -start FileIO)',
  hard_fault: 'hard faults: record with the kernel flag HARD_FAULTS',
};

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded, source: Source): string[] {
  const { sources, has_file_ends, selected_kinds, losses } = recorded;
  const notes: string[] = [];
  if (!sources.includes(source)) {
    notes.push(
      selected_kinds === null
        ? `The trace has no ${FLAGS[source]}.`
        : `The part that was opened has no I/O of this source; it was: ${selected_kinds}.`,
    );
    const [other] = sources;
    if (other !== undefined) notes.push(`It has I/O of the source ${other}.`);
  } else if (source === 'file' && !has_file_ends) {
    notes.push('Ends of operations on files were not recorded, and so no durations: that needs FILE_IO.');
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range.`);
  }
  return notes;
}

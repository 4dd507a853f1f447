import { formatCount } from '../../shared/model/index.ts';
import type { Source } from './model.ts';
import { NOUNS } from './words.ts';

/** What a trace holds of what this view needs: from the row of `recorded.sql`. */
export interface Recorded {
  readonly sources: readonly Source[];
  readonly has_file_ends: boolean;
  readonly selected_kinds: string | null;
  readonly losses: number;
}

const MISSING: Record<Source, string> = {
  disk: 'Transfers of disks were not recorded: that needs the kernel flags DISK_IO and DISK_IO_INIT (xperf -on PROC_THREAD+LOADER+DISK_IO+DISK_IO_INIT, or wpr -start DiskIO).',
  file: 'Operations on files were not recorded: that needs the kernel flags FILENAME, FILE_IO and FILE_IO_INIT (xperf -on PROC_THREAD+LOADER+FILENAME+FILE_IO+FILE_IO_INIT, or wpr -start FileIO).',
  hard_fault:
    'There were no hard faults, or they were not recorded: that needs the kernel flag HARD_FAULTS (xperf -on PROC_THREAD+LOADER+HARD_FAULTS, or wpr -start GeneralProfile).',
};

/** What cannot be known from the trace, and which recording would tell. */
export function missingNotes(recorded: Recorded, source: Source): string[] {
  const { sources, has_file_ends, selected_kinds, losses } = recorded;
  const notes: string[] = [];
  if (!sources.includes(source)) {
    notes.push(
      selected_kinds === null
        ? MISSING[source]
        : `The part that was opened has no I/O of this source; it was: ${selected_kinds}.`,
    );
    const [other] = sources;
    if (other !== undefined) notes.push(`The trace has ${NOUNS[other][1]} (source: ${other}).`);
  } else if (source === 'file' && !has_file_ends) {
    notes.push('Ends of operations on files were not recorded, and so no durations: that needs FILE_IO.');
  }
  if (losses > 0) {
    const gaps = losses === 1 ? 'one gap' : `${formatCount(losses)} gaps`;
    notes.push(`Events were lost in ${gaps} of this range.`);
  }
  return notes;
}

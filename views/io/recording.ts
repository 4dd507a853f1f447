import type { RecordingNeeds, SignalId } from '../../shared/recording/index.ts';
import type { Source } from './model.ts';

/** The signal that tells the I/O of a source. */
export const SIGNAL_OF = {
  disk: 'disk_io',
  file: 'file_io',
  hard_fault: 'hard_faults',
} as const satisfies Record<Source, SignalId>;

/** What the view needs of a recording. */
export const recording: RecordingNeeds = {
  needs: [{ signal: Object.values(SIGNAL_OF), without: 'there is nothing to show', is_required: true }],
  uses: ['file_io_ends'],
};

const WITHOUT: Record<Source, string> = {
  disk: 'what the disks did is not known',
  file: 'which files were used is not known',
  hard_fault: 'which threads waited for memory is not known',
};

/** What the view needs to show one source. */
export function recordingOf(source: Source): RecordingNeeds {
  return {
    needs: [
      { signal: SIGNAL_OF[source], without: WITHOUT[source], is_required: true },
      ...(source === 'file'
        ? [{ signal: 'file_io_ends', without: 'durations of file operations are not known' } as const]
        : []),
    ],
    gaps: 'I/O there is missing',
  };
}

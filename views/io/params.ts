import type { ParamSpecs, ParamValues } from '../../shared/view/index.ts';
import type { RecordingNeeds, SignalId } from '../../shared/recording/index.ts';
import type { Source } from './model.ts';

/** What can be asked of the view of disk and file I/O. */
export const params = {
  source: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'disk', 'file', 'hard_fault'],
    titles: { hard_fault: 'hard faults', disk: 'disks', file: 'files' },
    label: 'Source',
    help: 'Transfers of disks, operations on files (whether the cache or a disk served them), or hard faults. auto: the first of these that was recorded.',
  },
  direction: {
    type: 'choice',
    default: 'all',
    choices: ['all', 'read', 'write', 'other'],
    label: 'Direction',
    help: 'Only reads, only writes, or only what is neither, such as flushes, creates and closes.',
  },
  measure: {
    type: 'choice',
    default: 'bytes',
    choices: ['bytes', 'count', 'depth'],
    label: 'Over time',
    help: 'What the chart over time shows: bytes or I/Os per second, or how many were under way (queue depth), the mean of each bucket.',
  },
  process: {
    type: 'text',
    default: null,
    label: 'Process',
    help: 'Only I/O of processes with this id, or whose name contains this.',
  },
  thread: {
    type: 'text',
    default: null,
    label: 'Thread',
    help: 'Only I/O of threads with this id, or whose name contains this.',
  },
  path: {
    type: 'text',
    default: null,
    label: 'Path',
    help: 'Only I/O of files whose path contains this; case does not matter.',
  },
  min_ms: {
    type: 'number',
    default: 0,
    min: 0,
    unit: 'ms',
    label: 'At least',
    help: 'Only I/O that took at least so long.',
  },
  limit: {
    type: 'number',
    default: 5000,
    min: 1,
    max: 100_000,
    label: 'Rows',
    help: 'How many are listed, the longest. Counts, sums and percentiles are of all.',
  },
} as const satisfies ParamSpecs;

/** Values for them. */
export type IoParams = ParamValues<typeof params>;

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

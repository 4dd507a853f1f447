import { choiceParam, numberParam, rowsParam, textParam, type ParamValues } from '../../shared/view/index.ts';
import type { RecordingNeeds, SignalId } from '../../shared/recording/index.ts';
import type { Source } from './model.ts';

/** What can be asked of the view of disk and file I/O. */
export const params = {
  source: choiceParam(
    'Source',
    'Transfers of disks, operations on files (whether the cache or a disk served them), or hard faults. auto: the first of these that was recorded.',
    ['auto', 'disk', 'file', 'hard_fault'],
    { hard_fault: 'hard faults', disk: 'disks', file: 'files' },
  ),
  direction: choiceParam(
    'Direction',
    'Only reads, only writes, or only what is neither, such as flushes, creates and closes.',
    ['all', 'read', 'write', 'other'],
  ),
  measure: choiceParam(
    'Over time',
    'What the chart over time shows: bytes or I/Os per second, or how many were under way (queue depth), the mean of each bucket.',
    ['bytes', 'count', 'depth'],
  ),
  process: textParam('Process', 'Only I/O of processes with this id, or whose name contains this.'),
  thread: textParam('Thread', 'Only I/O of threads with this id, or whose name contains this.'),
  path: textParam('Path', 'Only I/O of files whose path contains this; case does not matter.'),
  min_ms: numberParam('At least', 'Only I/O that took at least so long.', 0, { min: 0, unit: 'ms' }),
  limit: rowsParam(
    'How many are listed, the longest. Counts, sums and percentiles are of all.',
    5000,
    100_000,
  ),
};

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

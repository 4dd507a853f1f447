import { formatBytes, formatCount, formatDuration } from '../../shared/model/index.ts';
import type { Io, IoModel, IoOthers, IoWait, Source } from './model.ts';

/** What the I/Os of a source are called: one, and many. */
export const NOUNS: Record<Source, readonly [string, string]> = {
  disk: ['transfer of a disk', 'transfers of disks'],
  file: ['operation on a file', 'operations on files'],
  hard_fault: ['hard fault', 'hard faults'],
};

/** Counted by what the source calls them: `3 hard faults`. */
export function countWords(count: number, source: Source): string {
  return `${formatCount(count)} ${NOUNS[source][count === 1 ? 0 : 1]}`;
}

/** What is shown, in numbers. */
export function summaryWords({ summary, source }: IoModel): string {
  const { count, ended, read_bytes, written_bytes, sum_ns } = summary;
  const moved = [
    ...(read_bytes > 0 ? [`${formatBytes(read_bytes)} read`] : []),
    ...(written_bytes > 0 ? [`${formatBytes(written_bytes)} written`] : []),
    ...(ended > 0 ? [`${formatDuration(sum_ns)} all together`] : []),
  ];
  return [countWords(count, source), ...moved].join(', ');
}

/** ` of 4.1 kB`; nothing for what moves no bytes. */
export function sizeWords({ size_bytes }: Io): string {
  return size_bytes === null ? '' : ` of ${formatBytes(size_bytes)}`;
}

/** How long the thread waited for it, and what ended that. */
export function waitWords({ ts, ready_ts, run_ts, readied_by }: IoWait): string {
  const by = readied_by === null ? '' : ` by ${readied_by}`;
  const ran = run_ts === null ? 'has not run since' : `ran ${formatDuration(run_ts - ready_ts)} later`;
  return `its thread waited ${formatDuration(ready_ts - ts)}, was readied${by} and ${ran}`;
}

/** Who else was readied as an I/O ended. What a wait is for is not recorded: the words claim no more than the time shows. */
export function othersWords({ count, longest }: IoOthers): string {
  const told = longest.map(({ thread, ts, ready_ts }) => `${thread} after ${formatDuration(ready_ts - ts)}`);
  const more = count > longest.length ? ` and ${formatCount(count - longest.length)} more` : '';
  return `other threads that had blocked meanwhile were readied at that moment, and may have waited for the same: ${told.join(', ')}${more}`;
}

/** `the first 10,000 of 12,345`; nothing where all paths are listed. */
export function pathsCutWords({ paths, path_count }: IoModel): string {
  if (paths.length >= path_count) return '';
  return `the first ${formatCount(paths.length)} of ${formatCount(path_count)}`;
}

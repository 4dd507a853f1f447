import type { Known } from '../../shared/recording/index.ts';
import type { OwnedThread } from '../../shared/threads/index.ts';
import type { DurationBin } from '../kit/histogram.ts';

/** What was recorded of I/O: transfers of disks, operations on files, or hard faults. */
export type Source = 'disk' | 'file' | 'hard_fault';

/** `other` moves no bytes: flushes, creates, closes and the like. */
export type Direction = 'read' | 'write' | 'other';

/** One transfer, operation or hard fault. */
export interface Io extends OwnedThread {
  readonly ts: number;
  /** Null where its end was not recorded. */
  readonly dur: number | null;
  /** `read`, `write`, `create`, `hard_fault`, …, as its table says. */
  readonly kind: string;
  readonly direction: Direction;
  /** Null for what moves no bytes. */
  readonly size_bytes: number | null;
  /** As Windows names it; null where the recording has no name. */
  readonly path: string | null;
  /** Number of the disk; null for what is not a transfer of one. */
  readonly disk: number | null;
  readonly priority: string | null;
  /** `NTSTATUS` of an operation on a file. */
  readonly status: string | null;
  /** The thread that asked for it, by the key of this loaded trace; null if that is not known. */
  readonly utid: number | null;
}

/** The wait of an I/O's own thread that ended with it. */
export interface IoWait {
  /** When the thread blocked. */
  readonly ts: number;
  readonly ready_ts: number;
  /** When it ran again; null if that was not recorded. */
  readonly run_ts: number | null;
  /** In words; null where it was not recorded. */
  readonly readied_by: string | null;
}

/** Another thread that was readied as an I/O ended, and had blocked while it was under way: it may have waited for the same. */
export interface IoOther {
  /** In words. */
  readonly thread: string;
  /** When it blocked. */
  readonly ts: number;
  readonly ready_ts: number;
}

/** All of them: how many, and of these some that waited longest. */
export interface IoOthers {
  readonly count: number;
  readonly longest: readonly IoOther[];
}

/** What ended in each bucket of time. */
export interface IoLine {
  readonly label: string;
  readonly counts: readonly number[];
  readonly size_bytes: readonly number[];
}

/** How many I/Os were under way, the mean of each bucket of time. */
export interface IoDepth {
  readonly label: string;
  readonly values: readonly number[];
}

/** Numbers over all that pass the filters. A percentile is the longest of the hundredth of a decade in which it lies. */
export interface IoSummary {
  readonly count: number;
  /** How many have an end: durations are of these. */
  readonly ended: number;
  readonly read_bytes: number;
  readonly written_bytes: number;
  readonly sum_ns: number;
  readonly p50_ns: number;
  readonly p90_ns: number;
  readonly p99_ns: number;
  readonly max_ns: number;
}

/** The I/O of a process, of a path, or of a disk and kind. */
export interface IoGroup {
  /** The process in words, the path, or the kind; null where it is not known. */
  readonly name: string | null;
  /** Null for what is no process. */
  readonly pid: number | null;
  /** Number of the disk, of a disk and kind; else null. */
  readonly disk: number | null;
  readonly count: number;
  readonly read_bytes: number;
  readonly written_bytes: number;
  /** Null where no end was recorded. */
  readonly sum_ns: number | null;
  readonly p50_ns: number | null;
  readonly p90_ns: number | null;
  readonly p99_ns: number | null;
  readonly max_ns: number | null;
}

/** All that the view draws. */
export interface IoModel extends Known {
  readonly source: Source;
  readonly summary: IoSummary;
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** What ended in each bucket, by disk and direction. */
  readonly lines: readonly IoLine[];
  /** How many were under way in each bucket, by disk, of those that pass the filters. */
  readonly depths: readonly IoDepth[];
  readonly histogram: readonly DurationBin[];
  /** Longest together first. */
  readonly processes: readonly IoGroup[];
  /** Likewise: the first of them. */
  readonly paths: readonly IoGroup[];
  /** How many paths there are. */
  readonly path_count: number;
  /** By disk and kind. */
  readonly kinds: readonly IoGroup[];
  /** The longest. */
  readonly ios: readonly Io[];
  /** The wait that ended with each of `ios`, null where none did; null until that is loaded. */
  readonly waits: readonly (IoWait | null)[] | null;
  /** The other threads that were readied as each of `ios` ended, likewise. */
  readonly others: readonly (IoOthers | null)[] | null;
}

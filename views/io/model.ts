import type { DurationBin } from '../kit/histogram.ts';

/** What was recorded of I/O: transfers of disks, operations on files, or hard faults. */
export type Source = 'disk' | 'file' | 'hard_fault';

/** `other` moves no bytes: flushes, creates, closes and the like. */
export type Direction = 'read' | 'write' | 'other';

/** One transfer, operation or hard fault. */
export interface Io {
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
  readonly process: string | null;
  readonly pid: number | null;
  readonly tid: number | null;
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

/** What ended in each bucket of time. */
export interface IoLine {
  readonly label: string;
  readonly counts: readonly number[];
  readonly size_bytes: readonly number[];
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

/** The I/O of a process or a path. */
export interface IoGroup {
  /** The process in words, or the path; null where it is not known. */
  readonly name: string | null;
  /** Null for a path. */
  readonly pid: number | null;
  readonly count: number;
  readonly read_bytes: number;
  readonly written_bytes: number;
  /** Null where no end was recorded. */
  readonly sum_ns: number | null;
  readonly max_ns: number | null;
}

/** All that the view draws. */
export interface IoModel {
  readonly origin_ns: number;
  readonly notes: readonly string[];
  readonly source: Source;
  readonly summary: IoSummary;
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** What ended in each bucket, by disk and direction. */
  readonly lines: readonly IoLine[];
  readonly histogram: readonly DurationBin[];
  /** Longest together first. */
  readonly processes: readonly IoGroup[];
  /** Likewise, the first 10000. */
  readonly paths: readonly IoGroup[];
  /** The longest. */
  readonly ios: readonly Io[];
  /** The wait that ended with each of `ios`, null where none did; null until that is loaded. */
  readonly waits: readonly (IoWait | null)[] | null;
}

import type { ToldFindings } from '../../shared/findings/index.ts';
import type { NotRecorded } from '../../shared/recording/index.ts';
import type { NamedProcess, OwnedThread } from '../../shared/threads/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import type { MainWhy } from '../../shared/why-late/index.ts';

/** The recording and the machine that it was made on; null is not recorded. */
export interface Facts {
  /** Length of what is shown: of the recording, or of the part of it. */
  readonly dur_ns: number;
  /** Length of the recording. */
  readonly recorded_ns: number;
  readonly start_utc_ns: string | null;
  readonly utc_offset_minutes: number | null;
  readonly os_version: string | null;
  readonly os_build: number | null;
  readonly pointer_bytes: number | null;
  readonly cpu_count: number;
  readonly cpu_mhz: number | null;
  readonly processes: number;
  readonly threads: number;
  readonly events_read: number;
  readonly context_switches: number;
  readonly events_lost: number;
  readonly buffers_lost: number;
  /** The number of stretches of time in which something is missing. */
  readonly gaps: number;
}

/** CPU time of a process, and its share of what all CPUs have. */
export interface ProcessCpu extends NamedProcess {
  readonly ran_ns: number;
  readonly share: number;
}

/** CPU time over time: of the processes that used most, each by itself, and of the others. Without series it is not known. */
export interface CpuStrip {
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** What it is known from. */
  readonly source: 'switches' | 'samples';
  readonly series: readonly (NamedProcess & { readonly busy_ns: readonly number[] })[];
  /** In each bucket, the time in which CPUs lost events: neither idle nor busy. There is none where the source is samples. */
  readonly lost_ns: readonly number[];
}

/** A span of focus or a freeze. */
export interface ProcessSpan extends NamedProcess {
  readonly ts: number;
  readonly dur: number;
}

/** A freeze; an end that is open was not recorded. */
export interface Freeze extends ProcessSpan {
  readonly open_start: boolean;
  readonly open_end: boolean;
}

/** A long ready wait, and the estimate of why it was late. */
export interface LateWait extends OwnedThread {
  readonly ts: number;
  readonly dur: number;
  readonly ended: boolean;
  readonly rank: number | null;
  readonly priority: number | null;
  readonly why_late: MainWhy;
}

/** A kind of events that the file holds, and the view that shows them, by its id and its title. */
export interface Recorded {
  readonly what: string;
  readonly events: number;
  readonly view: string;
  readonly shown_by: string;
  /** The provider that the view is to show; null where it has none. */
  readonly provider: string | null;
}

/** All that the overview shows. */
export interface OverviewModel {
  /** What is shown: all that was recorded, or a part of it. */
  readonly range: TimeRange;
  /** When the recording began: times are told from there. */
  readonly origin_ns: number;
  readonly facts: Facts;
  readonly cpu: CpuStrip;
  readonly processes: readonly ProcessCpu[];
  /** The longest spans, in the order of time. */
  readonly focus: readonly ProcessSpan[];
  /** How many there are. */
  readonly focus_count: number;
  /** The first keys and mouse buttons. */
  readonly inputs: readonly { readonly ts: number; readonly is_key: boolean }[];
  readonly input_count: number;
  /** The longest. */
  readonly freezes: readonly Freeze[];
  readonly freeze_count: number;
  readonly recorded: readonly Recorded[];
  readonly missing: readonly NotRecorded[];
  /** The worst; null until they are loaded. */
  readonly waits: readonly LateWait[] | null;
  /** Null until the rules have run. */
  readonly findings: ToldFindings | null;
}

import type { NotRecorded } from '../../shared/recording/index.ts';

/** A named fact, such as the number of CPUs. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** A group of kernel events that a session can switch on. */
export interface KernelFlag {
  /** As xperf names it; empty where no public name is known. */
  readonly flag: string;
  /** What it records; null where that is not told here. */
  readonly what: string | null;
  /** Null where the trace does not say what was switched on. */
  readonly on: boolean | null;
  /** Its events in the trace; null where these are not told apart. */
  readonly events: number | null;
  /** Its bits in the group masks. */
  readonly place: string;
}

/** A disk or a network card. */
export interface Device {
  readonly kind: 'disk' | 'volume' | 'network card';
  readonly name: string;
  readonly details: string;
}

/** A service of Windows. */
export interface Service {
  readonly name: string;
  readonly display_name: string | null;
  readonly state: string | null;
  readonly pid: number | null;
  readonly process: string | null;
}

/** A gap in the recording. */
export interface Loss {
  readonly ts: number;
  /** Null where it was not measured. */
  readonly dur: number | null;
  readonly kind: string;
  readonly cpu: number | null;
  readonly count: number | null;
  readonly message: string | null;
}

/** Events of one provider, by what became of them. */
export interface ProviderCount {
  readonly provider: string;
  readonly events: number;
  readonly converted: number;
  readonly generic: number;
  readonly skipped: number;
}

/** Events of one kind. */
export interface KindCount {
  readonly provider: string;
  readonly event: string;
  readonly version: number | null;
  readonly fate: string;
  readonly reason: string | null;
  readonly count: number;
}

/** The most gaps of a recording that are listed. */
export const LOSSES_MAX = 1000;

/** All that the view draws. */
export interface SystemModel {
  readonly origin_ns: number;
  readonly machine: readonly Fact[];
  readonly recording: readonly Fact[];
  readonly flags: readonly KernelFlag[];
  readonly not_recorded: readonly NotRecorded[];
  readonly devices: readonly Device[];
  readonly services: readonly Service[];
  /** The first {@link LOSSES_MAX}. */
  readonly losses: readonly Loss[];
  /** Most events first. */
  readonly providers: readonly ProviderCount[];
  /** Every kind of event in the file, most events first. */
  readonly kinds: readonly KindCount[];
}

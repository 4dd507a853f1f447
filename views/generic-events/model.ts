import type { Known } from '../../shared/recording/index.ts';

/** What a field of an event holds; lists and structures as JSON. */
export type FieldValue = string | number | null;

/** One event, as its provider wrote it. */
export interface GenericEvent {
  readonly ts: number;
  readonly provider: string;
  readonly event: string;
  /** Null for an event of no thread. */
  readonly process: string | null;
  /** The service that its thread works for, else those that its process hosts. */
  readonly service: string | null;
  readonly tid: number | null;
  readonly pid: number | null;
  readonly cpu: number | null;
  readonly level: number;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** What its header tells besides, such as `ActivityId`. */
  readonly header: Readonly<Record<string, FieldValue>>;
}

/** How many events of a kind pass the filters. */
export interface EventKind {
  readonly provider: string;
  readonly event: string;
  readonly count: number;
}

/** All that the view draws. */
export interface EventsModel extends Known {
  readonly provider: string | null;
  readonly event: string | null;
  /** Kinds of events that pass the filters other than those of provider and event; most first within each provider. */
  readonly kinds: readonly EventKind[];
  /** The bounds of the buckets of time, rising: one more than there are buckets. */
  readonly edges: readonly number[];
  /** Events of the chosen provider and kind in each bucket. */
  readonly counts: readonly number[];
  /** The largest kinds of these. */
  readonly lines: readonly { readonly label: string; readonly counts: readonly number[] }[];
  /** Events that pass all filters. */
  readonly count: number;
  /** The first of them. */
  readonly events: readonly GenericEvent[];
  /** Where one kind of event is chosen, the names of its fields, in their order. */
  readonly fields: readonly string[];
}

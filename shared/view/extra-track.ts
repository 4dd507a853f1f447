import type { Selection, TimeRange } from './view.ts';

/** What an {@link ExtraTrack} shows at a time. */
export interface TrackItem {
  /** From here on, in ns on the trace clock. */
  readonly ts: number;
  /** Up to here; that of an instant is `ts`. */
  readonly te: number;
  readonly name: string;
  /** What a track of values shows; null in others, and where it is not known. */
  readonly value: number | null;
}

/** The facts that a chosen item shows. */
export interface ItemDetail {
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What is chosen with it; null: its time alone. */
  readonly selection: Selection | null;
  /** What shows more of it; null where nothing does. */
  readonly open: { readonly title: string; readonly run: () => void } | null;
}

/** A track that no view makes: the app gives it to the views that draw tracks. */
export interface ExtraTrack {
  /** By which links name it; without spaces. */
  readonly name: string;
  readonly label: string;
  /** In small print: how many items there are, or why there are none. */
  readonly aside: string;
  /** Flags mark where to look; spans are coloured by name; values are as high as they are large, each up to the next. */
  readonly draw: 'flags' | 'spans' | 'values';
  /** The time that the items cover. Outside of it nothing is known. Null for the whole trace. */
  readonly known: TimeRange | null;
  /** The highest value of all tracks that can be compared with it; null where it is a track of its own. Zero is always in sight. */
  readonly most: number | null;
  /** In the order of `ts`. */
  readonly items: readonly TrackItem[];
  /** What the item at a place shows. */
  about(item: number): ItemDetail;
}

/** An instant at which something happened, and the label that names it. */
export interface MarkedEvent {
  /** In ns on the trace clock. */
  readonly ts: number;
  readonly label: string;
}

/** An event that the user marked: a line at its time through all views. */
export interface Mark extends MarkedEvent {
  /** Which letter and colour it has, from 0; it keeps them while others come and go. */
  readonly slot: number;
}

/** One for each letter. */
export const MAX_MARKS = 26;

/** Longer labels are cut. */
const LABEL_CHARACTERS = 80;

/** Marks an event, or removes the mark at its time. Beyond {@link MAX_MARKS} the oldest mark gives way. */
export function toggleMark(marks: readonly Mark[], { ts, label }: MarkedEvent): readonly Mark[] {
  const others = marks.filter((mark) => mark.ts !== ts);
  if (others.length < marks.length) return others;
  const kept = others.slice(-(MAX_MARKS - 1));
  const taken = new Set(kept.map(({ slot }) => slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  return [...kept, { ts, label: label.slice(0, LABEL_CHARACTERS), slot }];
}

/** The letter that tells a mark from others without its colour. */
export function markLetter({ slot }: Mark): string {
  return String.fromCharCode('A'.charCodeAt(0) + (slot % MAX_MARKS));
}

/**
 * A short name of something in a trace: `w-17` is the 17th longest ready wait that ended, `t-4` the thread with `utid` 4, `f-2` the
 * second finding. No list of them is kept: a number is a place in an order that the trace itself has.
 */
export interface Handle {
  readonly kind: 'wait' | 'thread' | 'finding';
  /** From 1 for waits and findings. */
  readonly number: number;
}

const LETTERS = { w: 'wait', t: 'thread', f: 'finding' } as const;
/** The last wait that can be named. */
const MOST_WAITS = 100_000;

/** Reads a handle; null for a text that is none. */
export function readHandle(text: string): Handle | null {
  const [, letter, digits] = /^([wtf])-(\d{1,9})$/.exec(text) ?? [];
  if (letter === undefined || digits === undefined) return null;
  const kind = LETTERS[letter as keyof typeof LETTERS];
  const number = Number(digits);
  if (kind !== 'thread' && number === 0) return null;
  return kind === 'wait' && number > MOST_WAITS ? null : { kind, number };
}

/** The handle of a wait, a thread or a finding, as {@link readHandle} reads it. */
export function writeHandle({ kind, number }: Handle): string {
  return `${kind[0] ?? ''}-${number}`;
}

import type { Dictionary } from '../column-table.ts';

/** The order of the texts of a dictionary. */
export interface TextRanks {
  /** The place of each entry among the different texts, in the order of their bytes. */
  readonly rankOf: Uint32Array;
  /** An entry for each place. */
  readonly entryOf: Uint32Array;
  /** How many different texts there are. */
  readonly count: number;
}

/** Sorts the texts of a dictionary. */
export function ranksOf({ size, bytes, start, length }: Dictionary): TextRanks {
  const textOf = (entry: number) =>
    bytes.subarray(start[entry] ?? 0, (start[entry] ?? 0) + (length[entry] ?? 0));
  const order = Uint32Array.from({ length: size }, (_, i) => i).sort((a, b) =>
    compareBytes(textOf(a), textOf(b)),
  );
  const rankOf = new Uint32Array(size);
  const entryOf = new Uint32Array(size);
  let rank = -1;
  order.forEach((entry, i) => {
    if (i === 0 || compareBytes(textOf(order[i - 1] ?? 0), textOf(entry)) !== 0) entryOf[++rank] = entry;
    rankOf[entry] = rank;
  });
  return { rankOf, entryOf, count: rank + 1 };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

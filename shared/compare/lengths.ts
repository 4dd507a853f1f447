/** So many classes of length each doubling has: a class is 4 % wide. */
const CLASSES = 16;

/** The classes of the shortest whole lengths, which most are: found sooner than worked out. */
const SHORT = Uint16Array.from({ length: 1 << 16 }, (_, ns) => workedOut(ns));

/** The class of a length in whole ns. */
export function classOf(ns: number): number {
  // Looked up by a small integer only: code that meets another key is compiled anew each time.
  return ns >= 0 && ns < SHORT.length ? (SHORT[ns | 0] ?? 0) : workedOut(ns);
}

function workedOut(ns: number): number {
  return ns < 1 ? 0 : 1 + Math.floor(Math.log2(ns) * CLASSES);
}

/** The middle of a class, in ns. */
export function middleOf(of: number): number {
  return of === 0 ? 0 : 2 ** ((of - 0.5) / CLASSES);
}

/** Counts a length in its class. */
export function countLength(counts: Map<number, number>, ns: number): void {
  const of = classOf(ns);
  counts.set(of, (counts.get(of) ?? 0) + 1);
}

/** How long waits were: how many of each class in each block. */
export class Lengths {
  readonly counts = new Map<number, Float64Array>();
  /** The longest of each block, in ns. */
  readonly longest: Float64Array;

  /** Takes so many blocks, or the longest of each. */
  constructor(blocks: number | Float64Array) {
    this.longest = typeof blocks === 'number' ? new Float64Array(blocks) : blocks;
  }

  /** Adds lengths of a class in a block. */
  add(block: number, of: number, many: number): void {
    let counts = this.counts.get(of);
    if (counts === undefined) {
      counts = new Float64Array(this.longest.length);
      this.counts.set(of, counts);
    }
    counts[block] = (counts[block] ?? 0) + many;
  }

  /** The lengths in some blocks, which `pick` picks of values by block. */
  of(pick: (values: Float64Array) => Float64Array): Lengths {
    const picked = new Lengths(pick(this.longest));
    for (const [at, counts] of this.counts) picked.counts.set(at, pick(counts));
    return picked;
  }
}

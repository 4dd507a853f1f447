import type { Cell } from './cells.ts';
import { bytesOfCounts, countsOf, type Bytes } from './count-bytes.ts';
import { Lengths } from './lengths.ts';
import type { Measured } from './measure.ts';
import type { StackNode } from './stacks.ts';

/** What a trace holds as plain data: what JSON can carry, and bytes. */
export interface PlainMeasured extends Omit<
  Measured,
  'blocks' | 'recorded' | 'cells' | 'lengths' | 'stacks'
> {
  readonly blocks: Bytes;
  readonly facts: readonly (readonly [string, string | null])[];
  readonly held: readonly string[];
  readonly redacted: string | null;
  readonly missing_part: number;
  readonly cells: readonly PlainCell[];
  readonly stacks: readonly (readonly [process: number, frames: readonly FlatFrame[]])[];
  readonly lengths: readonly {
    readonly process: number;
    readonly classes: Bytes;
    /** How many waits of the first class each block has, then of the second, and so on. */
    readonly counts: Bytes;
    readonly longest: Bytes;
  }[];
}

type PlainCell = Omit<Cell, 'ns' | 'count' | 'lengths' | 'functions'> & {
  readonly ns: Bytes;
  readonly count: Bytes;
  /** A class of length and how many there are of it, then the next one. */
  readonly lengths: Bytes;
  readonly functions: readonly (readonly [name: string, ns: number])[];
};

/** A frame of a tree of stacks in a list, where it comes after its caller: trees are deeper than what travels may be. */
type FlatFrame = readonly [label: string, module: string, ns: number, caller: number];

function flatOf(root: StackNode): readonly FlatFrame[] {
  const frames: FlatFrame[] = [];
  const add = ({ label, module, ns, children }: StackNode, caller: number): void => {
    const at = frames.push([label, module, ns, caller]) - 1;
    for (const child of children) add(child, at);
  };
  add(root, -1);
  return frames;
}

function treeOf(frames: readonly FlatFrame[]): StackNode {
  const nodes = frames.map(([label, module, ns]) => ({ label, module, ns, children: [] as StackNode[] }));
  frames.forEach(([, , , caller], at) => {
    const node = nodes[at];
    if (node !== undefined) nodes[caller]?.children.push(node);
  });
  return nodes[0] ?? { label: 'all', module: '', ns: 0, children: [] };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Bytes =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The bytes may stand anywhere in their memory, numbers may not: they are copied. */
const numbersOf = (bytes: Bytes): Float64Array => new Float64Array(new Uint8Array(bytes).buffer);

/** The counts of a map and their classes, in turn. */
function inTurn(counts: ReadonlyMap<number, number>): Float64Array {
  const all = new Float64Array(2 * counts.size);
  let at = 0;
  counts.forEach((many, of) => {
    all[at++] = of;
    all[at++] = many;
  });
  return all;
}

/** The map that {@link inTurn} gave the counts of. */
function byClass(all: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < all.length; at += 2) counts.set(all[at] ?? 0, all[at + 1] ?? 0);
  return counts;
}

function plainCell(cell: Cell): PlainCell {
  return {
    ...cell,
    ns: bytesOf(cell.ns),
    count: bytesOfCounts(cell.count),
    lengths: bytesOfCounts(inTurn(cell.lengths)),
    functions: [...cell.functions],
  };
}

/** What a trace holds, to travel. */
export function plainOf({ blocks, recorded, cells, lengths, stacks, ...measured }: Measured): PlainMeasured {
  const { facts, held, redacted, missing_part } = recorded;
  return {
    ...measured,
    blocks: bytesOf(blocks),
    facts: [...facts],
    held: [...held],
    redacted,
    missing_part,
    stacks: [...stacks].map(([process, root]) => [process, flatOf(root)] as const),
    cells: cells.map(plainCell),
    lengths: [...lengths].map(([process, of]) => ({
      process,
      classes: bytesOfCounts(of.classes),
      counts: bytesOfCounts(of.counts),
      longest: bytesOf(of.longest),
    })),
  };
}

/** What {@link plainOf} made plain. */
export function measuredOf(plain: PlainMeasured): Measured {
  const { blocks, facts, held, redacted, missing_part, cells, lengths, stacks, ...measured } = plain;
  return {
    ...measured,
    blocks: numbersOf(blocks),
    recorded: {
      facts: new Map(facts),
      held: new Set(held as readonly Parameters<Measured['recorded']['held']['has']>[0][]),
      redacted,
      missing_part,
    },
    stacks: new Map(stacks.map(([process, frames]) => [process, treeOf(frames)])),
    cells: cells.map((cell) => ({
      ...cell,
      ns: numbersOf(cell.ns),
      count: countsOf(cell.count),
      lengths: byClass(countsOf(cell.lengths)),
      functions: new Map(cell.functions),
    })),
    lengths: new Map(
      lengths.map(({ process, classes, counts, longest }) => [
        process,
        new Lengths(numbersOf(longest), [...countsOf(classes)], countsOf(counts)),
      ]),
    ),
  };
}

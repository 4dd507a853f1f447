import type { Cell, ClassCounts } from './cells.ts';
import { bytesOfCounts, countsOf, type Bytes } from './count-bytes.ts';
import { Lengths } from './lengths.ts';
import type { ComparedKind } from './episodes.ts';
import type { Measured } from './measure.ts';
import type { StackNode } from './stacks.ts';

/** What a trace holds as plain data: what JSON can carry, and bytes. */
export interface PlainMeasured extends Omit<
  Measured,
  'blocks' | 'recorded' | 'cells' | 'lengths' | 'episodes' | 'lives' | 'stacks'
> {
  readonly blocks: Bytes;
  readonly facts: readonly (readonly [string, string | null])[];
  readonly held: readonly string[];
  readonly redacted: string | null;
  readonly providers: readonly string[];
  readonly missing_part: number;
  readonly cells: PlainCells;
  readonly lives: readonly { readonly process: number; readonly starts: Bytes; readonly exits: Bytes }[];
  readonly stacks: readonly (readonly [process: number, frames: readonly FlatFrame[]])[];
  readonly lengths: readonly (readonly [process: number, lengths: PlainLengths])[];
  readonly episodes: readonly (readonly [kind: ComparedKind, lengths: PlainLengths])[];
}

/** Lengths by block. */
interface PlainLengths {
  readonly classes: Bytes;
  /** How many of the first class each block has, then of the second, and so on. */
  readonly counts: Bytes;
  readonly longest: Bytes;
}

/** Cells: their numbers stand together, cell by cell, since there are thousands of them. */
interface PlainCells {
  readonly heads: readonly (Pick<Cell, 'thread' | 'detail' | 'most'> & {
    readonly functions: readonly (readonly [name: string, ns: number])[];
  })[];
  /** As many of each cell as there are blocks. */
  readonly ns: Bytes;
  readonly count: Bytes;
  /** Of each cell how many classes of length it has, then each class and how many there are of it. */
  readonly lengths: Bytes;
}

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

function plainCells(cells: readonly Cell[], blocks: number): PlainCells {
  const [ns, count] = [new Float64Array(blocks * cells.length), new Float64Array(blocks * cells.length)];
  const lengths = new Float64Array(cells.reduce((sum, cell) => sum + 1 + 2 * cell.lengths.size, 0));
  let at = 0;
  for (const [number, cell] of cells.entries()) {
    ns.set(cell.ns, number * blocks);
    count.set(cell.count, number * blocks);
    lengths[at++] = cell.lengths.size;
    cell.lengths.forEach((many, of) => {
      lengths[at++] = of;
      lengths[at++] = many;
    });
  }
  return {
    heads: cells.map(({ thread, detail, most, functions }) => ({
      thread,
      detail,
      most,
      functions: [...functions],
    })),
    ns: bytesOf(ns),
    count: bytesOfCounts(count),
    lengths: bytesOfCounts(lengths),
  };
}

function cellsOf(plain: PlainCells, blocks: number): readonly Cell[] {
  const [ns, count, lengths] = [numbersOf(plain.ns), countsOf(plain.count), countsOf(plain.lengths)];
  let at = 0;
  return plain.heads.map(({ thread, detail, most, functions }, number) => {
    const first = number * blocks;
    const own = new ListedCounts(lengths, at);
    at = own.end;
    return {
      thread,
      detail,
      most,
      ns: ns.subarray(first, first + blocks),
      count: count.subarray(first, first + blocks),
      lengths: own,
      functions: functions.length === 0 ? NO_FUNCTIONS : new Map(functions),
    };
  });
}

const NO_FUNCTIONS: ReadonlyMap<string, number> = new Map();

/** Counts of classes in a list of those of all cells, from a place on: how many classes, then each class and how many there are of it. */
class ListedCounts implements ClassCounts {
  readonly #list: Float64Array;
  readonly #at: number;

  constructor(list: Float64Array, at: number) {
    [this.#list, this.#at] = [list, at];
  }

  get size(): number {
    return this.#list[this.#at] ?? 0;
  }

  /** Where the list goes on after these. */
  get end(): number {
    return this.#at + 1 + 2 * this.size;
  }

  forEach(tell: (count: number, of: number) => void): void {
    for (let at = this.#at + 1; at < this.end; at += 2) tell(this.#list[at + 1] ?? 0, this.#list[at] ?? 0);
  }
}

function plainLengths<K>(lengths: ReadonlyMap<K, Lengths>): readonly (readonly [K, PlainLengths])[] {
  return [...lengths].map(([key, { classes, counts, longest }]) => [
    key,
    { classes: bytesOfCounts(classes), counts: bytesOfCounts(counts), longest: bytesOf(longest) },
  ]);
}

function lengthsOf<K>(plain: readonly (readonly [K, PlainLengths])[]): ReadonlyMap<K, Lengths> {
  return new Map(
    plain.map(([key, { classes, counts, longest }]) => [
      key,
      new Lengths(numbersOf(longest), [...countsOf(classes)], countsOf(counts)),
    ]),
  );
}

/** What a trace holds, to travel. */
export function plainOf(measured: Measured): PlainMeasured {
  const { blocks, recorded, cells, lengths, episodes, lives, stacks, ...rest } = measured;
  const { facts, held, redacted, providers, missing_part } = recorded;
  return {
    ...rest,
    blocks: bytesOf(blocks),
    facts: [...facts],
    held: [...held],
    redacted,
    providers,
    missing_part,
    stacks: [...stacks].map(([process, root]) => [process, flatOf(root)] as const),
    cells: plainCells(cells, blocks.length),
    lives: lives.map(({ process, starts, exits }) => ({
      process,
      starts: bytesOfCounts(starts),
      exits: bytesOfCounts(exits),
    })),
    lengths: plainLengths(lengths),
    episodes: plainLengths(episodes),
  };
}

/** What {@link plainOf} made plain. */
export function measuredOf(plain: PlainMeasured): Measured {
  const {
    blocks,
    facts,
    held,
    redacted,
    providers,
    missing_part,
    cells,
    lengths,
    episodes,
    lives,
    stacks,
    ...rest
  } = plain;
  return {
    ...rest,
    blocks: numbersOf(blocks),
    recorded: {
      facts: new Map(facts),
      held: new Set(held as readonly Parameters<Measured['recorded']['held']['has']>[0][]),
      redacted,
      providers,
      missing_part,
    },
    lives: lives.map(({ process, starts, exits }) => ({
      process,
      starts: countsOf(starts),
      exits: countsOf(exits),
    })),
    stacks: new Map(stacks.map(([process, frames]) => [process, treeOf(frames)])),
    cells: cellsOf(cells, blocks.length / Float64Array.BYTES_PER_ELEMENT),
    lengths: lengthsOf(lengths),
    episodes: lengthsOf(episodes),
  };
}

import type { Measured } from './measure.ts';
import type { ProcessClass } from './things.ts';
import { longName, namesOf, type Tie } from './ties.ts';

/**
 * By what processes of two sides were found to be the same, the strictest first: image, command line and parent; image and command
 * line; the image alone. `tied`: the user said so, which comes before all. `only`: the other side has none.
 */
export const STEPS = ['command_and_parent', 'command', 'image'] as const;
export type Step = 'tied' | (typeof STEPS)[number] | 'only';

/** The sides of a comparison. */
export type SideName = 'a' | 'b';

/** Processes of both sides that are the same, or of one side alone. */
export interface Matched {
  /** What they are called: the image, with the command line where others have that image. */
  readonly name: string;
  readonly image: string;
  readonly step: Step;
  /** How many processes there are on each side, of all its traces; the mean of several. */
  readonly a_count: number;
  readonly b_count: number;
  /** By which names a tie names them on each side; empty where that side has none. */
  readonly a_names: readonly string[];
  readonly b_names: readonly string[];
}

/** Which processes are the same. */
export interface Matching {
  readonly matched: readonly Matched[];
  /** The number of what a process class of a trace on a side belongs to. */
  of(side: SideName, trace: Measured, process: number): number;
  /** Ties that name what their side does not have, or what another tie has taken. */
  readonly lost: readonly Tie[];
}

/** Process classes of each side by their keys. */
type BySide = Readonly<Record<SideName, readonly string[]>>;

/** Finds the processes that two sides have in common: those that are tied by hand first, then in falling steps. */
export function matchProcesses(
  a: readonly Measured[],
  b: readonly Measured[],
  ties: readonly Tie[],
): Matching {
  const classes = { a: classesOf(a), b: classesOf(b) };
  const left = { a: new Map(classes.a), b: new Map(classes.b) };
  const groups: (BySide & { readonly step: Step })[] = [];
  const take = (step: Step, keys: BySide) => {
    groups.push({ step, ...keys });
    for (const side of ['a', 'b'] as const) for (const key of keys[side]) left[side].delete(key);
  };
  const lost: Tie[] = [];
  for (const tie of ties) {
    const named = (side: SideName) =>
      [...left[side]]
        .filter(([, process]) => namesOf(process).includes(tie[side].toLowerCase()))
        .map(([key]) => key);
    const keys = { a: named('a'), b: named('b') };
    if (keys.a.length === 0 || keys.b.length === 0) lost.push(tie);
    else take('tied', keys);
  }
  for (const step of STEPS) {
    const together = new Map<string, { a: string[]; b: string[] }>();
    for (const side of ['a', 'b'] as const)
      for (const [key, process] of left[side]) {
        const common = keyOf(process, step);
        const keys = together.get(common) ?? { a: [], b: [] };
        together.set(common, keys);
        keys[side].push(key);
      }
    for (const keys of together.values()) if (keys.a.length > 0 && keys.b.length > 0) take(step, keys);
  }
  for (const key of left.a.keys()) groups.push({ step: 'only', a: [key], b: [] });
  for (const key of left.b.keys()) groups.push({ step: 'only', a: [], b: [key] });
  // Of a process that both sides have, the one of B names it.
  const processes = groups.map((group) => classes.b.get(group.b[0] ?? '') ?? classes.a.get(group.a[0] ?? ''));
  const counts = { a: countsOf(a), b: countsOf(b) };
  const traces = { a: Math.max(1, a.length), b: Math.max(1, b.length) };
  const meanCount = (side: SideName, keys: readonly string[]) =>
    keys.reduce((sum, key) => sum + (counts[side].get(key) ?? 0), 0) / traces[side];
  const alikeOf = new Map<string, number>();
  for (const process of processes) {
    const image = process?.image.toLowerCase() ?? '';
    alikeOf.set(image, (alikeOf.get(image) ?? 0) + 1);
  }
  const matched = groups.map((group, at): Matched => {
    const process = processes[at];
    const image = process?.image ?? '';
    const alike = alikeOf.get(image.toLowerCase()) ?? 0;
    const names = (side: SideName) => [
      ...new Set(
        group[side].flatMap((key) => {
          const named = classes[side].get(key);
          return named === undefined ? [] : [longName(named)];
        }),
      ),
    ];
    return {
      name: alike > 1 && process !== undefined ? longName(process) : image,
      image,
      step: group.step,
      a_count: meanCount('a', group.a),
      b_count: meanCount('b', group.b),
      a_names: names('a'),
      b_names: names('b'),
    };
  });
  const numbersOf = (side: SideName) =>
    new Map(groups.flatMap((group, at) => group[side].map((key) => [key, at])));
  const numbers = { a: numbersOf('a'), b: numbersOf('b') };
  return {
    matched,
    of(side, trace, process) {
      const found = trace.processes[process];
      return (found === undefined ? undefined : numbers[side].get(keyOf(found, 'command_and_parent'))) ?? -1;
    },
    lost,
  };
}

function classesOf(side: readonly Measured[]): ReadonlyMap<string, ProcessClass> {
  const classes = side.flatMap(({ processes }) => processes);
  return new Map(classes.map((process) => [keyOf(process, 'command_and_parent'), process]));
}

function keyOf({ image, command, parent }: ProcessClass, step: (typeof STEPS)[number]): string {
  const parts = {
    command_and_parent: [image.toLowerCase(), command, parent?.toLowerCase() ?? null],
    command: [image.toLowerCase(), command],
    image: [image.toLowerCase()],
  };
  return JSON.stringify(parts[step]);
}

/** How many processes of each key the traces of a side have. */
function countsOf(side: readonly Measured[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { processes } of side)
    for (const process of processes) {
      const key = keyOf(process, 'command_and_parent');
      counts.set(key, (counts.get(key) ?? 0) + process.count);
    }
  return counts;
}

import type { Measured } from './measure.ts';
import type { ProcessClass } from './things.ts';

/**
 * By what processes of two sides were found to be the same, the strictest first: image, command line and parent; image and command
 * line; the image alone. `only`: the other side has none.
 */
export const STEPS = ['command_and_parent', 'command', 'image'] as const;
export type Step = (typeof STEPS)[number] | 'only';

/** Processes of both sides that are the same, or of one side alone. */
export interface Matched {
  /** What they are called: the image, with the command line where others have that image. */
  readonly name: string;
  readonly image: string;
  readonly step: Step;
  /** How many processes there are on each side, of all its traces; the mean of several. */
  readonly a_count: number;
  readonly b_count: number;
}

/** Which processes are the same. */
export interface Matching {
  readonly matched: readonly Matched[];
  /** The number of what a process class of a trace belongs to. */
  of(trace: Measured, process: number): number;
}

/** Finds the processes that two sides have in common, in falling steps. */
export function matchProcesses(a: readonly Measured[], b: readonly Measured[]): Matching {
  const left = new Map([...classesOf(a), ...classesOf(b)]);
  const [inA, inB] = [new Set(classesOf(a).keys()), new Set(classesOf(b).keys())];
  const groups: { step: Step; keys: string[] }[] = [];
  for (const step of STEPS) {
    const together = new Map<string, string[]>();
    for (const [key, process] of left) {
      const common = keyOf(process, step);
      together.set(common, [...(together.get(common) ?? []), key]);
    }
    for (const keys of together.values()) {
      if (!keys.some((key) => inA.has(key)) || !keys.some((key) => inB.has(key))) continue;
      groups.push({ step, keys });
      for (const key of keys) left.delete(key);
    }
  }
  for (const key of left.keys()) groups.push({ step: 'only', keys: [key] });
  const all = new Map([...classesOf(a), ...classesOf(b)]);
  const images = groups.map(({ keys: [key = ''] }) => all.get(key)?.image ?? '');
  const number = new Map(groups.flatMap(({ keys }, group) => keys.map((key) => [key, group])));
  const matched = groups.map(({ step, keys }, group): Matched => {
    const process = all.get(keys[0] ?? '');
    const image = images[group] ?? '';
    const alike = images.filter((other) => other.toLowerCase() === image.toLowerCase()).length;
    return {
      name: alike > 1 && process !== undefined ? longName(process) : image,
      image,
      step,
      a_count: meanCount(a, keys),
      b_count: meanCount(b, keys),
    };
  });
  return {
    matched,
    of(trace, process) {
      const found = trace.processes[process];
      return (found === undefined ? undefined : number.get(keyOf(found, 'command_and_parent'))) ?? -1;
    },
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

const LONGEST_COMMAND = 60;

/** The image with what the command line has after the program, or else with the parent. */
function longName({ image, command, parent }: ProcessClass): string {
  const after = command?.replace(/^("[^"]*"|\S+)\s*/, '') ?? '';
  const words = after.length > LONGEST_COMMAND ? `${after.slice(0, LONGEST_COMMAND)}…` : after;
  if (words !== '') return `${image} ${words}`;
  return parent === null ? image : `${image} of ${parent}`;
}

function meanCount(side: readonly Measured[], keys: readonly string[]): number {
  const counts = side
    .flatMap(({ processes }) => processes)
    .filter((process) => keys.includes(keyOf(process, 'command_and_parent')))
    .map(({ count }) => count);
  return counts.reduce((sum, count) => sum + count, 0) / Math.max(1, side.length);
}

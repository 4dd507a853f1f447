import type { Measured } from './measure.ts';
import type { Matched } from './match.ts';
import type { ProcessClass } from './things.ts';

/** A process of A that is the same as one of B: so the user says. Each is named by its image, or by {@link longName}. */
export interface Tie {
  readonly a: string;
  readonly b: string;
}

/** A tie that cannot be meant. */
export class TieError extends Error {
  override readonly name = 'TieError';
}

const LONGEST_COMMAND = 60;

/** The image with what the command line has after the program, or else with the parent. */
export function longName({ image, command, parent }: ProcessClass): string {
  const after = command?.replace(/^("[^"]*"|\S+)\s*/, '') ?? '';
  const words = after.length > LONGEST_COMMAND ? `${after.slice(0, LONGEST_COMMAND)}…` : after;
  if (words !== '') return `${image} ${words}`;
  return parent === null ? image : `${image} of ${parent}`;
}

/** By what a tie names a process, in lower case. */
export function namesOf(process: ProcessClass): readonly string[] {
  return [process.image.toLowerCase(), longName(process).toLowerCase()];
}

/** Reads a tie such as `old.exe=new.exe`; throws a {@link TieError} if the sides have no such processes. */
export function readTie(text: string, a: readonly Measured[], b: readonly Measured[]): Tie {
  const known = (side: readonly Measured[]) =>
    new Set(side.flatMap(({ processes }) => processes.flatMap(namesOf)));
  const [inA, inB] = [known(a), known(b)];
  const splits: Tie[] = [];
  // A command line may have the sign in it.
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1))
    splits.push({ a: text.slice(0, at).trim(), b: text.slice(at + 1).trim() });
  const [first] = splits;
  if (first === undefined)
    throw new TieError(`"${text}" is no tie: one is "old.exe=new.exe", the process of A first`);
  const tie = splits.find((each) => inA.has(each.a.toLowerCase()) && inB.has(each.b.toLowerCase()));
  if (tie !== undefined) return tie;
  const side = inA.has(first.a.toLowerCase()) ? 'B' : 'A';
  throw new TieError(`"${text}": ${side} has no process ${side === 'A' ? first.a : first.b}`);
}

/**
 * How texts of B read in A: with the image of A in the place of the one that is tied to it. The image of a tie that names a command
 * line is left as it is where other processes of B have it too.
 */
export function textsInA(ties: readonly Tie[], processes: readonly Matched[]): (text: string) => string {
  const untied = new Set(
    processes
      .filter(({ step, b_count }) => step !== 'tied' && b_count > 0)
      .map(({ image }) => image.toLowerCase()),
  );
  const images = new Map(ties.map(({ a, b }) => [imageOf(b).toLowerCase(), imageOf(a)]));
  for (const image of untied) images.delete(image);
  if (images.size === 0) return (text) => text;
  const quoted = [...images.keys()].map((image) => image.replaceAll(/[^\w]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\w.~-])(?:${quoted.join('|')})(?![\\w.-])`, 'gi');
  return (text) => text.replaceAll(pattern, (image) => images.get(image.toLowerCase()) ?? image);
}

/** The image of a process that a tie names, by its image or by its {@link longName}. */
export function imageOf(name: string): string {
  return /^.*?\.\w+(?= |$)/.exec(name)?.[0] ?? name;
}

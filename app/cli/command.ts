/** A subcommand of `outrank`. */
export interface Command {
  readonly name: string;
  /** What follows the name, as in a usage line. */
  readonly usage: string;
  /** What it does, one line. */
  readonly summary: string;
  /** Options and formats, line by line. */
  readonly details?: readonly string[];
  /** Runs it with what follows the name; the exit code. */
  run(args: string[]): Promise<number>;
}

/** A command line that cannot be meant; the message says what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of an option that is one of a few. */
export function choice<const T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found === undefined) throw new UsageError(`--${option} takes ${choices.join(', ')}, not "${value}"`);
  return found;
}

/** The one positional argument that a command takes. */
export function only(positionals: readonly string[], what: string): string {
  const [first, ...more] = positionals;
  if (first === undefined) throw new UsageError(`${what} is missing`);
  if (more.length > 0) throw new UsageError(`one ${what} is taken, not also ${more.join(' ')}`);
  return first;
}

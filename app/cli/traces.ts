import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './session.ts';

/** Where the demo is: in a checkout as it was made, in a package packed. */
const DEMOS = ['lock-screen.etl', 'lock-screen.etl.gz'].map((name) => join(root, 'vendor', 'demo', name));

/**
 * The arguments of a command with the path of the demo in the place of the word `demo`, where no file has that name and the word
 * is not the value of an option.
 */
export function withDemo(args: readonly string[]): string[] {
  const demo = DEMOS.find((path) => existsSync(path));
  if (demo === undefined || existsSync('demo')) return [...args];
  const isTrace = (at: number): boolean => args[at] === 'demo' && !(args[at - 1] ?? '').startsWith('-');
  return args.map((arg, at) => (isTrace(at) ? demo : arg));
}

/** Whether a word in the place of a command is a trace or a link to open. */
export function namesTrace(word: string): boolean {
  return word === 'demo' || word.startsWith('outrank:') || /[./\\]/.test(word) || existsSync(word);
}

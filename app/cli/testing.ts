import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OUTRANK, places } from '../host/testing/real.ts';

/** What a finished `outrank` left. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the environment says to `outrank` that runs in a folder, which holds its settings and its cache too. */
const environment = (folder: string, cache: string, converter = places.converter): NodeJS.ProcessEnv => ({
  ...process.env,
  OUTRANK_CACHE: join(folder, cache),
  OUTRANK_CONVERTER: converter,
  XDG_CONFIG_HOME: folder,
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
});

/** `outrank` as run in a folder, which holds its settings and its cache too; no window can be shown. */
export function outrankIn(
  folder: string,
  cache = 'cache',
  converter = places.converter,
): (...args: readonly string[]) => Promise<Outcome> {
  const env = environment(folder, cache, converter);
  return async (...args) => {
    const child = spawn(process.execPath, [...OUTRANK, ...args], { env, cwd: folder });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code, stdout, stderr };
  };
}

/** Whether there is a program that gives another one a terminal. */
export const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) console.warn('SKIPPED, the tests on a terminal: no script of util-linux');

/**
 * `outrank` in a folder, on a terminal at which somebody types `keys` once `question` is asked. What it says and prints comes
 * as the terminal shows it.
 */
export async function outrankAtTerminal(
  folder: string,
  args: readonly string[],
  { question, keys }: { readonly question: string; readonly keys: string },
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const command = [process.execPath, ...OUTRANK, ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: environment(folder, 'cache'),
    cwd: folder,
  });
  let shown = '';
  let isAsked = false;
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    if (isAsked || !shown.includes(question)) return;
    isAsked = true;
    child.stdin.write(keys);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, shown };
}

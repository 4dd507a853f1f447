import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { OUTRANK, root } from './places.ts';

/** What a finished program left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `outrank` with arguments, keeping its converted traces in `cache`. */
export async function outrank(cache: string, ...args: readonly string[]): Promise<Finished> {
  return run(process.execPath, [...OUTRANK, ...args], { OUTRANK_CACHE: cache });
}

/** Runs a program to its end, in the checkout unless another folder is named. */
export async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = root,
): Promise<Finished> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** The rows that `outrank query --format json` gives. */
export async function query(
  cache: string,
  trace: string,
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { code, stdout, stderr } = await outrank(cache, 'query', trace, '--sql', sql, '--format', 'json');
  if (code !== 0) throw new Error(`outrank query ended with ${code ?? 'a signal'}: ${stderr}`);
  return JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
}

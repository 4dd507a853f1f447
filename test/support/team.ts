import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { OUTRANK, root, type Scratch } from './places.ts';

/** A running `outrank serve --store`. */
export interface Team {
  readonly origin: string;
  /** Lets its holder do everything. */
  readonly token: string;
  end(): Promise<void>;
}

/** Serves a store of traces to a team, with one token; a folder of `scratch` unless another store is named. */
export async function startTeam(
  scratch: Scratch,
  store = scratch.path('store'),
  env: Readonly<Record<string, string>> = {},
  lake: 'on' | 'off' = 'off',
): Promise<Team> {
  const where = ['--store', store, '--work', scratch.path('work'), '--lake', lake];
  const args = ['serve', ...where, '--port', '0'];
  const child = spawn(process.execPath, [...OUTRANK, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const [first, second] = [await lines.next(), await lines.next()];
  const origin = /http:\/\/\S+/.exec(String(first.value))?.[0] ?? '';
  const token = String(second.value).split(' ').at(-1) ?? '';
  const end = async (): Promise<void> => {
    child.kill('SIGINT');
    await exited;
  };
  return { origin, token, end };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { places, root } from '../host/testing/real.ts';

/** What a finished `outrank` left. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `outrank` as run in a folder, which holds its settings and its cache too; no window can be shown. */
export function outrankIn(folder: string, cache = 'cache'): (...args: readonly string[]) => Promise<Outcome> {
  const launcher = join(root, 'app', 'cli', 'outrank.mjs');
  const env = {
    ...process.env,
    OUTRANK_CACHE: join(folder, cache),
    OUTRANK_CONVERTER: places.converter,
    XDG_CONFIG_HOME: folder,
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  };
  return async (...args) => {
    const child = spawn(process.execPath, [launcher, ...args], { env, cwd: folder });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code, stdout, stderr };
  };
}

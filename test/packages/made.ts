import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/places.ts';

/** Where the packages are: what `scripts/package.mjs` was given. */
const folder = process.env.OUTRANK_PACKAGES ?? join(root, 'dist', 'packages');

/** The path of the package whose name ends so; null, and a line that says so, if it was not made. */
export function made(ending: string): string | null {
  const name = existing().find((each) => each.endsWith(ending));
  if (name === undefined) {
    console.warn(`SKIPPED: no …${ending} in ${folder}: node scripts/package.mjs ${folder} makes it`);
    return null;
  }
  return join(folder, name);
}

function existing(): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** What a program prints; it must succeed. */
export function printed(program: string, args: readonly string[], env = process.env, cwd = root): string {
  return execFileSync(program, args, { encoding: 'utf8', env, cwd, maxBuffer: 1 << 28 });
}

/** The names of all that is in a zip file. */
export function namesIn(zip: string): readonly string[] {
  return printed('unzip', ['-Z1', zip]).trim().split('\n');
}

/** A file of a zip file. */
export function fileIn(zip: string, name: string): Buffer {
  return execFileSync('unzip', ['-p', zip, name], { maxBuffer: 1 << 28 });
}

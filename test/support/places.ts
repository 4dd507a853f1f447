import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '..', '..');

/** Flags of V8 for the programs that tests start, as `vitest.config.ts` sets these; none for benchmarks. */
export const v8Flags = process.env.OUTRANK_TEST_V8_FLAGS?.split(' ') ?? [];

/** With what Node runs `outrank`. */
export const OUTRANK = [...v8Flags, join(root, 'app', 'cli', 'outrank.mjs')];

/** The folder of the Electron runtime. */
export const electronFolder = join(root, 'vendor', 'electron');

/** The demo: the scenario `lock-screen` of `outrank-synth`, and what is known of it. */
export const demo = {
  trace: join(root, 'vendor', 'demo', 'lock-screen.etl'),
  truth: join(root, 'vendor', 'demo', 'lock-screen.truth.json'),
};

/** The other demo: the scenario `wmi`, and what is known of it. */
export const wmiDemo = {
  trace: join(root, 'vendor', 'demo', 'wmi.etl'),
  truth: join(root, 'vendor', 'demo', 'wmi.truth.json'),
};

/** The writer of synthetic traces. */
export const synth = join(root, 'converter', 'target', 'release', 'outrank-synth');

const realFolder = resolve(root, '..', 'shared', 'etl');

/** Real traces by name, recorded on Windows machines; null, and a line that says so, where there are none. */
export function realTraces(): ReadonlyMap<string, string> | null {
  if (!existsSync(realFolder)) {
    console.warn(`SKIPPED: tests on real traces, since ${realFolder} is missing`);
    return null;
  }
  const paths = readdirSync(realFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => /\.etl(\.gz|\.zip)?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(paths.map((path) => [relative(realFolder, path), path]));
}

/** Where a picture of that name goes. */
export function picture(name: string): string {
  const folder = join(root, 'test-results');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}

/** A new folder for one test file's own data. */
export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), 'outrank-test-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

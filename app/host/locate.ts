import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the parts of an installed Outrank are. */
export interface Places {
  /** The binary `outrank-convert`, or where there is none the same as a WebAssembly module. */
  readonly converter: string;
  /** The binary `outrank-symbols`, or where there is none the same as a WebAssembly module. */
  readonly symbolizer: string;
  /** The folder of the engine's files. */
  readonly engine: string;
  /** The folder of the built app. */
  readonly dist: string;
  /** The folder of the built UI. */
  readonly ui: string;
  /** The folder of the page that works alone, where it is built. */
  readonly web: string;
}

/**
 * The parts under `root`: a checkout (built in place), a package of npm, or the resources folder of a packaged app, where
 * the converter lies in `bin/`. With a package of npm, the platform's own package may be installed. `OUTRANK_CONVERTER` and
 * `OUTRANK_SYMBOLS` name other binaries or modules.
 */
export function locate(root: string): Places {
  const binary = (name: string): string => {
    const file = process.platform === 'win32' ? `${name}.exe` : name;
    const packaged = join(root, 'bin', file);
    if (existsSync(packaged)) return packaged;
    const beside = nativePackage(root);
    return join(...(beside === null ? [root, 'converter', 'target', 'release'] : [beside, 'bin']), file);
  };
  const dist = join(root, 'dist');
  const { env } = process;
  const program = (name: string): string => {
    const wasm = join(dist, `${name}.wasm`);
    const native = binary(name);
    return !existsSync(native) && existsSync(wasm) ? wasm : native;
  };
  return {
    converter: env.OUTRANK_CONVERTER ?? program('outrank-convert'),
    symbolizer: env.OUTRANK_SYMBOLS ?? program('outrank-symbols'),
    engine: join(root, 'vendor', 'engine'),
    dist,
    ui: join(dist, 'ui'),
    web: join(dist, 'web'),
  };
}

/** The folder of the package with native programs for this system; null: there is none, or one of another version. */
function nativePackage(root: string): string | null {
  try {
    const own = createRequire(join(root, 'package.json'));
    const name = `@outrank/native-${process.platform}-${process.arch}`;
    const file = own.resolve(`${name}/package.json`);
    return versionOf(file) === versionOf(join(root, 'package.json')) ? dirname(file) : null;
  } catch {
    return null;
  }
}

/** The version that a `package.json` tells. */
function versionOf(file: string): unknown {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version;
}

/** The checkout that holds `start`: the nearest folder upwards whose package is Outrank. */
export function findCheckout(start: string): string {
  for (let dir = start; ; dir = dirname(dir)) {
    if (isOutrank(join(dir, 'package.json'))) return dir;
    if (dirname(dir) === dir) throw new Error(`${start}: not inside a checkout of Outrank`);
  }
}

function isOutrank(packageFile: string): boolean {
  try {
    return readFileSync(packageFile, 'utf8').includes('"name": "outrank"');
  } catch {
    return false;
  }
}

/** The user's cache folder for Outrank; `OUTRANK_CACHE` names another. */
export function cacheDir(env: Environment = process.env, platform: string = process.platform): string {
  if (env.OUTRANK_CACHE) return env.OUTRANK_CACHE;
  const home = homedir();
  switch (platform) {
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Outrank', 'Cache');
    case 'darwin':
      return join(home, 'Library', 'Caches', 'Outrank');
    default:
      return join(env.XDG_CACHE_HOME ?? join(home, '.cache'), 'outrank');
  }
}

/** The path that an argument names; desktops of Linux give files as `file:` addresses. */
export function pathOf(argument: string): string {
  try {
    return /^file:/i.test(argument) ? fileURLToPath(argument) : argument;
  } catch {
    // No such address names a file here.
    return argument;
  }
}

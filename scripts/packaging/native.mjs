import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const PROGRAMS = ['outrank-convert', 'outrank-symbols'];
const LAUNCHER = 'outrank.exe';
const MINGW = 'x86_64-w64-mingw32';

/**
 * Puts the converter and the reader of symbols in Rust into a folder, if they can be built here for a system.
 * @param {import('./systems.mjs').System} system
 * @param {string} folder
 * @returns {string | null} the triple that they were built for; null: none can be built here
 */
export function addNativePrograms(system, folder) {
  const suffix = system.platform === 'win32' ? '.exe' : '';
  return addBuilt(
    system,
    folder,
    PROGRAMS.map((program) => program + suffix),
  );
}

/**
 * Builds `outrank.exe`, the command for Windows, and puts it into a folder.
 * @param {import('./systems.mjs').System} system
 * @param {string} folder
 * @returns {string} its path
 */
export function addWindowsLauncher(system, folder) {
  if (addBuilt(system, folder, [LAUNCHER]) === null)
    throw new Error(
      `${LAUNCHER} cannot be built here: it wants Rust for ${system.triple}, or on Linux for ${system.crossTriple} and ${MINGW}-gcc`,
    );
  return join(folder, LAUNCHER);
}

/**
 * Builds all programs in Rust for a system, if that can be done here, and puts some into a folder, without names for debuggers.
 * @param {import('./systems.mjs').System} system
 * @param {string} folder
 * @param {readonly string[]} files
 * @returns {string | null} the triple that they were built for; null: none can be built here
 */
function addBuilt(system, folder, files) {
  const { platform, triple: own, crossTriple } = system;
  const triple = process.platform === platform ? own : process.platform === 'linux' ? crossTriple : null;
  if (triple === null) return null;
  const isHost = output('rustc', ['-vV'])?.includes(`host: ${triple}\n`) ?? false;
  if (!isHost && output('rustup', ['target', 'add', triple]) === null) return null;
  const crosses = triple === crossTriple;
  if (crosses && output(`${MINGW}-gcc`, ['--version']) === null) return null;
  const target = join(root, 'converter', 'target');
  execFileSync(
    'cargo',
    [
      ...[
        'build',
        '--quiet',
        '--release',
        '--locked',
        '--target-dir',
        target,
        ...(isHost ? [] : ['--target', triple]),
      ],
      ...['--manifest-path', join(root, 'converter', 'Cargo.toml')],
      // As scripts/setup.sh builds it, so that nothing is built again.
      ...(isHost ? [] : ['-p', 'convert', '-p', 'symbols', '-p', 'launcher']),
      ...(crosses ? ['--config', `target.${triple}.linker="${MINGW}-gcc"`] : []),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  mkdirSync(folder, { recursive: true });
  for (const file of files) {
    copyFileSync(join(target, isHost ? '' : triple, 'release', file), join(folder, file));
    // Microsoft's linker puts the names into a file of their own.
    if (process.platform !== 'win32')
      execFileSync(crosses ? `${MINGW}-strip` : 'strip', [join(folder, file)]);
  }
  return triple;
}

/**
 * What a program prints; null: it is missing or fails.
 * @param {string} program
 * @param {string[]} args
 */
function output(program, args) {
  try {
    return execFileSync(program, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 120_000,
    });
  } catch {
    return null;
  }
}

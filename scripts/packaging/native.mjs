import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const PROGRAMS = ['outrank-convert', 'outrank-symbols'];
const MINGW = 'x86_64-w64-mingw32';

/**
 * Builds the programs in Rust for a system, if that can be done here, and puts them into a folder, without names for debuggers.
 * @param {import('./systems.mjs').System} system
 * @param {string} folder
 * @returns {string | null} the triple that they were built for; null: none can be built here
 */
export function addNativePrograms(system, folder) {
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
      ...(isHost ? [] : ['-p', 'convert', '-p', 'symbols']),
      ...(crosses ? ['--config', `target.${triple}.linker="${MINGW}-gcc"`] : []),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  mkdirSync(folder, { recursive: true });
  for (const program of PROGRAMS) {
    const file = platform === 'win32' ? `${program}.exe` : program;
    copyFileSync(join(target, isHost ? '' : triple, 'release', file), join(folder, file));
    // Microsoft's linker puts the names into a file beside.
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

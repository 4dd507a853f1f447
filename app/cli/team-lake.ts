import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LocalDesk } from '../fleet/index.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import type { KeptLake } from '../server/team/team-lake.ts';
import { launcher } from './session.ts';

/** What a question may take, and how many rows it may give. */
const BOUNDS = { seconds: 60, rows: 5000, bytes: 16 << 20 };
const DESK_BYTES = 1 << 30;
/** Codes with which a trace is in the lake: 3 says that it is damaged. */
const IS_IN: readonly (number | null)[] = [0, 3];
/** So many characters of what a command said are told. */
const MOST_SAID = 1000;

/** Where a lake lies, and what adding to it may take. */
export interface TeamLakeOptions {
  readonly address: string;
  readonly workDir: string;
  readonly limits: ConverterLimits;
  /** The most memory of its engine. */
  readonly engineMemoryBytes: number;
  /** The longest that adding a trace may take, in ms. */
  readonly limitMs: number;
}

/** The lake of a team server. `outrank lake` changes it in processes of its own: a trace that breaks one breaks no server. */
export function teamLake(
  { address, workDir, limits, engineMemoryBytes, limitMs }: TeamLakeOptions,
  visible: () => Promise<ReadonlySet<string>>,
): KeptLake {
  const copies = join(workDir, 'lake-copies');
  const desk = new LocalDesk({
    address,
    create: true,
    memoryBytes: DESK_BYTES,
    threads: 1,
    copies,
    bounds: BOUNDS,
    visible,
  });
  // Conversions take as much room as those that are looked at. What a killed one left goes.
  const scratch = join(workDir, 'lake');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const env = { ...process.env, TMPDIR: scratch, TEMP: scratch, TMP: scratch };
  const lake = async (args: readonly string[], signal: AbortSignal): Promise<void> => {
    const { code, said } = await runApart(
      ['lake', ...args],
      env,
      AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    );
    if (IS_IN.includes(code)) return;
    throw new Error(said === '' ? `outrank lake ended with ${code ?? 'a signal'}` : said);
  };
  return {
    desk,
    ids: () => desk.ids(),
    add: (path, tags, signal) =>
      lake(
        [
          ...['add', address, path],
          ...Object.entries(tags).flatMap(([name, value]) => ['--tag', `${name}=${value}`]),
          ...['--converter-memory', `${limits.memoryBytes}B`, '--max-file', `${limits.fileBytes}B`],
          ...['--engine-memory', `${engineMemoryBytes}B`, '--no-paths'],
        ],
        signal,
      ),
    forget: (id, signal) => lake(['forget', address, id], signal),
    compact: (signal) => lake(['compact', address], signal),
    end: () => desk.end(),
  };
}

/** Runs `outrank` in a process group of its own, which ends with the signal; the exit code, and the end of what it said. */
async function runApart(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly said: string }> {
  signal.throwIfAborted();
  const hasGroups = process.platform !== 'win32';
  const command = [launcher, ...args];
  const child = spawn(process.execPath, command, {
    env,
    detached: hasGroups,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // A lake is whole whenever its writer is killed. The converter is killed too: nothing uses what it would write alone.
  const end = (): void => {
    if (hasGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  signal.addEventListener('abort', end);
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-MOST_SAID)));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said: said.trim() };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

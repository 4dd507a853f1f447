import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalDesk } from '../fleet/index.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import type { KeptLake } from '../server/team/team-lake.ts';
import { root } from './session.ts';

const run = promisify(execFile);

/** What a question may take, and how many rows it may give. */
const BOUNDS = { seconds: 60, rows: 5000, bytes: 16 << 20 };
const DESK_BYTES = 1 << 30;
/** Codes with which a trace is in the lake: 3 says that it is damaged. */
const IS_IN: readonly (number | string | null | undefined)[] = [0, 3];

/** Where a lake lies, and what adding to it may take. */
export interface TeamLakeOptions {
  readonly address: string;
  readonly workDir: string;
  readonly limits: ConverterLimits;
  /** The longest that adding a trace may take, in ms. */
  readonly limitMs: number;
}

/** The lake of a team server. `outrank lake` changes it in processes of its own: a trace that breaks one breaks no server. */
export function teamLake(
  { address, workDir, limits, limitMs }: TeamLakeOptions,
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
  const lake = async (args: readonly string[], signal: AbortSignal): Promise<void> => {
    const command = [join(root, 'app/cli/outrank.mjs'), 'lake', ...args];
    try {
      await run(process.execPath, command, { signal, timeout: limitMs, killSignal: 'SIGTERM' });
    } catch (error) {
      const { code, stderr = '' } = error as { code?: number | string | null; stderr?: string };
      if (IS_IN.includes(code)) return;
      const said = stderr.trim();
      throw new Error(said === '' ? `outrank lake ended with ${code ?? 'a signal'}` : said, { cause: error });
    }
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
        ],
        signal,
      ),
    forget: (id, signal) => lake(['forget', address, id], signal),
    compact: (signal) => lake(['compact', address], signal),
    end: () => desk.end(),
  };
}

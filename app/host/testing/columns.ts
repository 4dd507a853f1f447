import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openArrowFolder } from '../../../shared/tables/arrow-folder.ts';
import type { Tables } from '../../../shared/tables/index.ts';
import { places, root } from './real.ts';

/** Seeds of the random machines: `OUTRANK_SEEDS=31-90 npx vitest run app/host/columns.test.ts` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-8').split('-').map(Number);
const FORMS = [['--stacks'], ['--lose-buffers'], ['--compact'], ['--disorder'], []] as const;

/** Scenarios in which columns and SQL must tell the same. */
export const SCENARIOS: readonly (readonly string[])[] = [
  ...['minimal', 'verdicts', 'counters', 'attention', 'many-processors', 'lock-screen'].map((name) => [name]),
  ...['hot-loop', 'symbols', 'dotnet'].map((name) => [name]),
  // More calls than the converter remembers at a time.
  ['stacks', '--count', '20000'],
  ['io', '--count', '200'],
  ...Array.from({ length: last - first + 1 }, (_, index) => first + index).map((seed) => [
    'random',
    '--seed',
    String(seed),
    ...(FORMS[seed % FORMS.length] ?? []),
  ]),
];

/** Recordings of Windows machines, in which images come and go: those of the folder that are here. */
export const REAL_FOLDER = join(root, '..', 'shared', 'etl');
export const REAL = [
  'ShutdownPerfDiagLogger.etl',
  'TraceLoggingTester.etl.gz',
  'diaghub.kernel.1.etl.gz',
  'net.4.5.2.x64.etl.zip',
].filter((file) => existsSync(join(REAL_FOLDER, file)));

/**
 * Writes columns, and the Perfetto trace without scheduling. Gives the path of that trace. A converter's exit code of 3 only tells
 * that the trace lacks something.
 */
export function writeColumns(trace: string, folder: string): string {
  const options: ExecFileSyncOptions = { stdio: 'pipe' };
  const outline = `${folder}.pftrace`;
  try {
    execFileSync(places.converter, [trace, '-o', outline, '--columns', folder], options);
  } catch (error) {
    if ((error as { status?: unknown }).status !== 3) throw error;
  }
  return outline;
}

/** The tables of a folder of columns, open until `close`. */
export function openColumns(folder: string): { readonly tables: Tables; readonly close: () => void } {
  const opened = openArrowFolder(folder);
  return { tables: opened.tables, close: () => opened.close() };
}

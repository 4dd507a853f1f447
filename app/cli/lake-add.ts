import { readFile, stat } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { LONGEST_TAG, TAG_NAME } from '../../shared/lake/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { TracePlaces } from '../host/trace-places.ts';
import { choice, UsageError } from './command.ts';
import { versionedLine } from './json.ts';
import { addApart } from './lake-add-apart.ts';
import { addHere, type AddWish, type Told } from './lake-add-here.ts';
import { lakeFirst } from './lake-open.ts';
import { print, printData, say } from './terminal.ts';

/** What an engine takes of all that is not scheduling: nearly all traces need a tenth of it. */
const ENGINE_MEMORY = '2GiB';
/** Exit codes where a trace was left out, and else where one is damaged. */
const [LEFT_OUT, DAMAGED] = [2, 3];
const TAG = new RegExp(`^([^=]*)=(.{1,${LONGEST_TAG}})$`, 's');

/** A path that a process of its own can be given as a line, as `readline` ends these. */
const LINE = /^[^\r\n\u2028\u2029]+$/;
/** Fewer bytes of traces than these are not worth the start of one more process. */
const BYTES_A_JOB = 16 << 20;
/** What adding a trace takes: a bound for all, and so many bytes for each of the file, which may be compressed. */
const MEMORY = { atLeast: 512 << 20, each: 5, eachCompressed: 40 };

/** `outrank lake add`: traces into a lake. A trace that cannot be read is told, and the others go on. */
export async function addToLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tag: { type: 'string', multiple: true, default: [] as string[] },
      full: { type: 'boolean', default: false },
      from: { type: 'string' },
      jobs: { type: 'string' },
      'converter-memory': { type: 'string' },
      'max-file': { type: 'string' },
      'no-paths': { type: 'boolean', default: false },
      'engine-memory': { type: 'string', default: ENGINE_MEMORY },
      format: { type: 'string', default: 'text' },
    },
  });
  const [address, given] = lakeFirst(positionals);
  if (given.length === 0 && values.from === undefined) throw new UsageError('TRACE is missing');
  const format = choice('format', values.format, ['text', 'json']);
  const wish: AddWish = {
    address,
    tags: readTags(values.tag),
    full: values.full,
    engineMemory: values['engine-memory'],
    converterMemory: values['converter-memory'],
    maxFile: values['max-file'],
  };
  const asked = values.jobs === undefined ? null : readJobs(values.jobs);
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  const noted = new TracePlaces();
  let code = 0;
  const onTold = async (told: Told): Promise<void> => {
    if (told.id !== null && !values['no-paths']) await noted.note(told.id, told.path);
    if (told.outcome === 'left_out') code = LEFT_OUT;
    else if (told.warnings.length > 0 && code === 0) code = DAMAGED;
    if (format === 'json') await printData([versionedLine(told)]);
    else await tell(told);
  };
  try {
    const { signal } = interrupt;
    const paths = allPaths(given, values.from);
    if (asked === 1) await addHere(wish, paths, signal, onTold);
    else {
      const all = await readAll(paths);
      const isApart = all.every((path) => LINE.test(path));
      const jobs = isApart ? Math.min(asked ?? (await fittingJobs(all)), all.length) : 1;
      if (jobs > 1) await addApart(wish, all, jobs, signal, onTold);
      else await addHere(wish, all, signal, onTold);
    }
  } finally {
    process.off('SIGINT', onInterrupt);
  }
  return code;
}

/** The traces that are named, and those that a list names. */
async function* allPaths(given: readonly string[], from: string | undefined): AsyncGenerator<string> {
  yield* given;
  if (from === undefined) return;
  const lines = from === '-' ? createInterface(process.stdin) : (await readFile(from, 'utf8')).split(/\r?\n/);
  for await (const line of lines) if (line !== '') yield line;
}

async function readAll(paths: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const path of paths) all.push(path);
  return all;
}

/** How many processes the processors and the memory of this machine have use and room for. */
async function fittingJobs(paths: readonly string[]): Promise<number> {
  const sizeOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  const sizes = await Promise.all(paths.map(sizeOf));
  const wanted = paths.map((path, i) => {
    const each = path.toLowerCase().endsWith('.etl') ? MEMORY.each : MEMORY.eachCompressed;
    return MEMORY.atLeast + each * (sizes[i] ?? 0);
  });
  const fitting = Math.floor((0.75 * totalmem()) / wanted.reduce((most, bytes) => Math.max(most, bytes), 0));
  const worthwhile = Math.ceil(sizes.reduce((sum, bytes) => sum + bytes, 0) / BYTES_A_JOB);
  return Math.max(1, Math.min(availableParallelism(), fitting, worthwhile));
}

function readJobs(given: string): number {
  const jobs = Number(given);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 256)
    throw new UsageError(`--jobs takes a number from 1 to 256, not "${given}"`);
  return jobs;
}

async function tell({ path, outcome, id, warnings, bytes, why }: Told): Promise<void> {
  for (const warning of warnings) say(warning);
  if (id === null) {
    say(`left out: ${why ?? path}`);
    return;
  }
  const what =
    outcome === 'there' ? 'is there already' : `${outcome.replace('_', ' ')}, ${formatBytes(bytes)}`;
  await print([`${path}: ${what}: ${id.slice(0, 16)}\n`]);
}

/** What `--tag` gives, by name. Throws a {@link UsageError}. */
export function readTags(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text): readonly [string, string] => {
      const [, name, value] = TAG.exec(text) ?? [];
      if (name === undefined || value === undefined || !TAG_NAME.test(name))
        throw new UsageError(`--tag takes NAME=VALUE, such as build=1234, not "${text}"`);
      return [name, value];
    }),
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EngineError, isOutOfMemory } from '../../shared/engine/index.ts';
import { LONGEST_TAG, TAG_NAME } from '../../shared/lake/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { addTrace, type Added, type AddReport, type Adding, type Listing } from '../fleet/index.ts';
import { OpenError, TooLargeError } from '../host/api.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import { choice, UsageError } from './command.ts';
import { versionedLine } from './json.ts';
import { lakeFirst, withLake } from './lake-open.ts';
import { ownVersion, places, startHost, startShared } from './session.ts';
import { readEngineMemory, readSize } from './store-options.ts';
import { print, printData, say } from './terminal.ts';
import { TracePlaces } from '../host/trace-places.ts';

/** What an engine takes of all that is not scheduling: nearly all traces need a tenth of it. */
const ENGINE_MEMORY = '2GiB';
/** Exit codes where a trace was left out, and else where one is damaged. */
const [LEFT_OUT, DAMAGED] = [2, 3];
const TAG = new RegExp(`^([^=]*)=(.{1,${LONGEST_TAG}})$`, 's');

/** `outrank lake add`: traces into a lake. A trace that cannot be read is told, and the others go on. */
export async function addToLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      tag: { type: 'string', multiple: true, default: [] as string[] },
      full: { type: 'boolean', default: false },
      'converter-memory': { type: 'string' },
      'max-file': { type: 'string' },
      'no-paths': { type: 'boolean', default: false },
      'engine-memory': { type: 'string', default: ENGINE_MEMORY },
      format: { type: 'string', default: 'text' },
    },
  });
  const [address, paths] = lakeFirst(positionals);
  if (paths.length === 0) throw new UsageError('TRACE is missing');
  const format = choice('format', values.format, ['text', 'json']);
  const tags = readTags(values.tag);
  const converter = readLimits(values['converter-memory'], values['max-file']);
  const limits = { converter, engineMemoryBytes: readEngineMemory(values['engine-memory']) };
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  const cache = await mkdtemp(join(tmpdir(), 'outrank-lake-cache-'));
  const parquetDir = join(cache, 'full');
  const shared = startShared();
  const host = startHost(cache, {
    ...limits,
    ...shared,
    parquetDir: values.full ? parquetDir : undefined,
  });
  let code = 0;
  try {
    await withLake(
      address,
      async (on) => {
        const { signal } = interrupt;
        const where = { host, cache, parquetDir, converter: places.converter };
        const adding = { ...on, ...where, outrankVersion: ownVersion(), signal };
        const noted = new TracePlaces();
        const listing = await on.lake.list();
        for (const problem of listing.problems) say(problem);
        const asked = { tags, full: values.full, memory: values['engine-memory'] };
        for (const path of paths) {
          const told = await addOne(adding, path, asked, listing);
          if (told.id !== null && !values['no-paths']) await noted.note(told.id, path);
          if (told.outcome === 'left_out') code = LEFT_OUT;
          else if (told.warnings.length > 0 && code === 0) code = DAMAGED;
          if (format === 'json') await printData([versionedLine(told)]);
          else await tell(told);
        }
      },
      { create: true },
    );
  } finally {
    process.off('SIGINT', onInterrupt);
    await host.end();
    await rm(cache, { recursive: true, force: true });
    shared.models.end();
  }
  return code;
}

/** What became of a trace. */
interface Told extends Pick<AddReport, 'warnings' | 'bytes'> {
  readonly path: string;
  readonly outcome: AddReport['outcome'] | 'left_out';
  /** Null of one that was left out. */
  readonly id: string | null;
  /** Why it was left out. */
  readonly why: string | null;
}

async function addOne(
  adding: Adding,
  path: string,
  { memory, ...asked }: Omit<Added, 'path'> & { readonly memory: string },
  listing: Listing,
): Promise<Told> {
  try {
    const { id, outcome, warnings, bytes } = await addTrace(adding, { path, ...asked }, listing);
    return { path, outcome, id, warnings, bytes, why: null };
  } catch (error) {
    const why = whyLeftOut(error, path, memory);
    if (why === null) throw error;
    return { path, outcome: 'left_out', id: null, warnings: [], bytes: 0, why };
  }
}

/** Null where the other traces would fare no better. */
function whyLeftOut(error: unknown, path: string, memory: string): string | null {
  if (error instanceof TooLargeError || isOutOfMemory(error))
    return `${path}: takes more memory than --engine-memory ${memory} leaves for it`;
  if (error instanceof OpenError) return error.message;
  // The trace breaks the engine: the next one gets another.
  return error instanceof EngineError ? `${path}: ${error.message}` : null;
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

/** The limits of conversions; undefined where none is given. */
function readLimits(memory: string | undefined, file: string | undefined): ConverterLimits | undefined {
  if (memory === undefined && file === undefined) return undefined;
  return {
    memoryBytes: readSize('converter-memory', memory ?? '4GiB'),
    fileBytes: readSize('max-file', file ?? '1TiB'),
  };
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

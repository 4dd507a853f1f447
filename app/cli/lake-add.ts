import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EngineError } from '../../shared/engine/index.ts';
import { LONGEST_TAG, TAG_NAME } from '../../shared/lake/index.ts';
import { formatBytes } from '../../shared/model/index.ts';
import { addTrace } from '../fleet/index.ts';
import { OpenError, TooLargeError } from '../host/api.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import { UsageError } from './command.ts';
import { lakeFirst, withLake } from './lake-open.ts';
import { places, root, startHost, startShared } from './session.ts';
import { readEngineMemory, readSize } from './store-options.ts';
import { print, say } from './terminal.ts';
import { TracePlaces } from './trace-places.ts';

/** What an engine takes of all that is not scheduling: nearly all traces need a tenth of it. */
const ENGINE_MEMORY = '2GiB';
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
    },
  });
  const [address, paths] = lakeFirst(positionals);
  if (paths.length === 0) throw new UsageError('TRACE is missing');
  const tags = readTags(values.tag);
  const converter = readLimits(values['converter-memory'], values['max-file']);
  const limits = { converter, engineMemoryBytes: readEngineMemory(values['engine-memory']) };
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  const cache = await mkdtemp(join(tmpdir(), 'outrank-lake-cache-'));
  const shared = startShared();
  const host = startHost(cache, { ...limits, models: shared.models });
  let code = 0;
  try {
    await withLake(
      address,
      async (on) => {
        const { signal } = interrupt;
        const adding = { ...on, host, cache, converter: places.converter, outrankVersion: version, signal };
        const noted = new TracePlaces();
        const listing = await on.lake.list();
        for (const problem of listing.problems) say(problem);
        for (const path of paths) {
          try {
            const report = await addTrace(adding, { path, tags, full: values.full }, listing);
            const { id, outcome, bytes, warnings } = report;
            if (!values['no-paths']) await noted.note(id, path);
            for (const warning of warnings) say(warning);
            if (warnings.length > 0 && code === 0) code = 3;
            const what =
              outcome === 'there'
                ? 'is there already'
                : `${outcome.replace('_', ' ')}, ${formatBytes(bytes)}`;
            await print([`${path}: ${what}: ${id.slice(0, 16)}\n`]);
          } catch (error) {
            if (error instanceof TooLargeError)
              say(
                `left out: ${path}: takes more memory than --engine-memory ${values['engine-memory']} leaves for it`,
              );
            else if (error instanceof OpenError) say(`left out: ${error.message}`);
            // The trace wants more memory than the engine may take, or breaks it: the next one gets another engine.
            else if (error instanceof EngineError) say(`left out: ${path}: ${error.message}`);
            else throw error;
            code = 2;
          }
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

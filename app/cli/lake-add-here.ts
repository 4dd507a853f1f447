import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError, isOutOfMemory } from '../../shared/engine/index.ts';
import {
  addTrace,
  SUMMED_EVENTS,
  type Added,
  type AddReport,
  type Adding,
  type Listing,
} from '../fleet/index.ts';
import { OpenError, TooLargeError } from '../host/api.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import { withLake } from './lake-open.ts';
import { ownVersion, places, startHost, startShared } from './session.ts';
import { readEngineMemory, readSize } from './store-options.ts';
import { say } from './terminal.ts';

/** What `outrank lake add` is asked for. */
export interface AddWish {
  readonly address: string;
  readonly tags: ReadonlyMap<string, string>;
  /** Whether the full tables are wanted too. */
  readonly full: boolean;
  /** Sizes as they were given. */
  readonly engineMemory: string;
  readonly converterMemory: string | undefined;
  readonly maxFile: string | undefined;
}

/** What became of a trace. */
export interface Told extends Pick<AddReport, 'warnings' | 'bytes'> {
  readonly path: string;
  readonly outcome: AddReport['outcome'] | 'left_out';
  /** Null of one that was left out. */
  readonly id: string | null;
  /** Why it was left out. */
  readonly why: string | null;
}

/** Adds traces one after another in this process, and tells what became of each. A trace that cannot be read is left out. */
export async function addHere(
  wish: AddWish,
  paths: AsyncIterable<string> | Iterable<string>,
  signal: AbortSignal,
  onTold: (told: Told) => Promise<void>,
): Promise<void> {
  const limits = {
    converter: readLimits(wish.converterMemory, wish.maxFile),
    engineMemoryBytes: readEngineMemory(wish.engineMemory),
  };
  const cache = await mkdtemp(join(tmpdir(), 'outrank-lake-cache-'));
  const parquetDir = join(cache, 'full');
  const shared = startShared();
  const host = startHost(cache, {
    ...limits,
    ...shared,
    parquetDir: wish.full ? parquetDir : undefined,
    eventsOf: SUMMED_EVENTS,
  });
  try {
    await withLake(
      wish.address,
      async (on) => {
        const where = { host, cache, parquetDir, converter: places.converter };
        const adding = { ...on, ...where, outrankVersion: ownVersion(), signal };
        const listing = await on.lake.list();
        for (const problem of listing.problems) say(problem);
        const asked = { tags: wish.tags, full: wish.full, memory: wish.engineMemory };
        for await (const path of paths) await onTold(await addOne(adding, path, asked, listing));
      },
      { create: true, threads: 1 },
    );
  } finally {
    await host.end();
    await rm(cache, { recursive: true, force: true });
    shared.models.end();
  }
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
    return leftOut(path, why);
  }
}

/** The report on a trace that is left out. */
export function leftOut(path: string, why: string): Told {
  return { path, outcome: 'left_out', id: null, warnings: [], bytes: 0, why };
}

/** Null where the other traces would fare no better. */
function whyLeftOut(error: unknown, path: string, memory: string): string | null {
  if (error instanceof TooLargeError || isOutOfMemory(error))
    return `${path}: takes more memory than --engine-memory ${memory} leaves for it`;
  if (error instanceof OpenError) return error.message;
  // The trace breaks the engine: the next one gets another.
  return error instanceof EngineError ? `${path}: ${error.message}` : null;
}

/** The limits of conversions; undefined where none is given. */
function readLimits(memory: string | undefined, file: string | undefined): ConverterLimits | undefined {
  if (memory === undefined && file === undefined) return undefined;
  return {
    memoryBytes: readSize('converter-memory', memory ?? '4GiB'),
    fileBytes: readSize('max-file', file ?? '1TiB'),
  };
}

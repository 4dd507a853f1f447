import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { messageOf } from '../../shared/model/index.ts';
import { OpenError } from './api.ts';
import { contentHash } from './content-hash.ts';

/** A converted trace in the cache. */
export interface CachedTrace {
  readonly path: string;
  /** The folder of its tables in columns; null if it has none. */
  readonly columns: string | null;
  /** What the converter said of damage. */
  readonly warnings: readonly string[];
  /** The SHA-256 that its bytes had when they were written, to be compared with what is loaded; null: they were written just now. */
  readonly sha256: string | null;
}

/**
 * Fills the path that it is given, and the folder of columns if it has any; resolves with the warnings. An entry rejects as this does, and
 * with an `OpenError` where the cache's folder cannot be written.
 */
export type WriteEntry = (path: string, columns: string) => Promise<readonly string[]>;

/** An entry that is being written. */
export interface EntryInTheMaking {
  /** Gives it its name once it is written; nothing stays of one that could not be written. */
  publish(key: string): Promise<CachedTrace>;
  /** Waits for the end of the writing, and removes what has no name by then. */
  discard(): Promise<void>;
}

/** The note on a converted trace. Its sizes show at once a file that lost its end when the machine went down. */
const note = v.object({
  sizeBytes: v.number(),
  sha256: v.string(),
  warnings: v.array(v.string()),
  /** The sizes of the files of columns, by name. */
  columnBytes: v.optional(v.record(v.string(), v.number())),
});

type Note = v.InferOutput<typeof note>;

const TRACE = 'trace.pftrace';
const COLUMNS = 'columns';
const NOTE = 'note.json';
/** Entries in the making have this prefix; one left so long belongs to a process that died. */
const PARTIAL = 'partial-';
const PARTIAL_LIVES_MS = 24 * 3_600_000;
/** An entry used so recently may be loading in another process. */
const IN_USE_MS = 3_600_000;

/**
 * Converted traces on disk, a folder each. An entry appears whole by one rename, so that several processes may share
 * the folder; the folder's mtime is the time of last use.
 */
export class TraceCache {
  readonly #dir: string;
  readonly #limitBytes: number;

  constructor(dir: string, limitBytes: number) {
    this.#dir = dir;
    this.#limitBytes = limitBytes;
  }

  /** The entry of a key, now the one used last; null if there is none that is whole. */
  async get(key: string): Promise<CachedTrace | null> {
    const dir = join(this.#dir, key);
    const path = join(dir, TRACE);
    const text = await readFile(join(dir, NOTE), 'utf8').catch(() => null);
    if (text === null) return null;
    const columns = join(dir, COLUMNS);
    const written = readNote(text);
    const isWhole =
      written !== null &&
      (await sizeOf(path)) === written.sizeBytes &&
      isDeepStrictEqual(await sizesIn(columns), written.columnBytes ?? null);
    if (!isWhole) {
      await this.remove(key);
      return null;
    }
    const now = new Date();
    // A folder that cannot be written can be read all the same.
    await utimes(dir, now, now).catch(() => undefined);
    return { path, ...placeOf(written, columns), sha256: written.sha256 };
  }

  /** Makes the entry of a key: see {@link begin}. Nothing stays if it fails. */
  add(key: string, write: WriteEntry): Promise<CachedTrace> {
    return this.begin(write).publish(key);
  }

  /** Begins to make an entry whose key need not be known yet. Its maker calls `publish` or `discard` in any case. */
  begin(write: WriteEntry): EntryInTheMaking {
    const partial = join(this.#dir, PARTIAL + randomBytes(8).toString('hex'));
    const writing = this.#write(partial, write);
    // Only `publish` looks at the result. Until then a failure has no other handler.
    writing.catch(() => undefined);
    const discard = () => rm(partial, { recursive: true, force: true }).catch(() => undefined);
    return {
      publish: async (key) => {
        try {
          const written = await writing;
          await this.#publish(partial, key);
          await this.#evict(key);
          const dir = join(this.#dir, key);
          return { path: join(dir, TRACE), ...placeOf(written, join(dir, COLUMNS)), sha256: null };
        } finally {
          await discard();
        }
      },
      discard: async () => {
        await writing.catch(() => undefined);
        await discard();
      },
    };
  }

  async #write(partial: string, write: WriteEntry): Promise<Note> {
    await mkdir(partial, { recursive: true }).catch((error: unknown) => {
      throw new OpenError('cache', notWritable(this.#dir, error));
    });
    const path = join(partial, TRACE);
    const columns = join(partial, COLUMNS);
    const warnings = [...(await write(path, columns))];
    const { size: sizeBytes } = await stat(path);
    const sha256 = await contentHash(path);
    const columnBytes = await sizesIn(columns);
    const written = { sizeBytes, sha256, warnings, ...(columnBytes && { columnBytes }) };
    await writeFile(join(partial, NOTE), JSON.stringify(written));
    return written;
  }

  async #publish(partial: string, key: string): Promise<void> {
    const dir = join(this.#dir, key);
    try {
      await rename(partial, dir);
    } catch {
      // Another process was first, and its entry is as good; or what is there is no whole entry.
      if ((await this.get(key)) !== null) return;
      await this.remove(key);
      await rename(partial, dir);
    }
  }

  /** Takes an entry away by one rename, so that no reader finds it half removed. */
  async remove(key: string): Promise<void> {
    const partial = join(this.#dir, PARTIAL + randomBytes(8).toString('hex'));
    await rename(join(this.#dir, key), partial).catch(() => undefined);
    await rm(partial, { recursive: true, force: true }).catch(() => undefined);
  }

  /** Removes entries, the longest unused first, until the rest fits; never `kept` nor one in use. */
  async #evict(kept: string): Promise<void> {
    const entries = [];
    for (const name of await readdir(this.#dir)) {
      const dir = join(this.#dir, name);
      const usedMs = await stat(dir).then(
        ({ mtimeMs }) => mtimeMs,
        () => null,
      );
      if (usedMs === null) continue;
      const idleMs = Date.now() - usedMs;
      if (!name.startsWith(PARTIAL)) {
        const columns = Object.values((await sizesIn(join(dir, COLUMNS))) ?? {});
        const sizeBytes = columns.reduce((sum, bytes) => sum + bytes, (await sizeOf(join(dir, TRACE))) ?? 0);
        entries.push({ name, idleMs, sizeBytes });
      } else if (idleMs > PARTIAL_LIVES_MS) await rm(dir, { recursive: true, force: true });
    }
    let total = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const { name, idleMs, sizeBytes } of entries.sort((a, b) => b.idleMs - a.idleMs)) {
      if (total <= this.#limitBytes) return;
      if (name === kept || idleMs < IN_USE_MS) continue;
      await this.remove(name);
      total -= sizeBytes;
    }
  }
}

/** What an entry gives out of its note. */
function placeOf(
  { warnings, columnBytes }: Note,
  columns: string,
): Pick<CachedTrace, 'warnings' | 'columns'> {
  return { warnings, columns: columnBytes === undefined ? null : columns };
}

/** The size of a file; null if it is not there. */
function sizeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ size }) => size,
    () => null,
  );
}

/** The sizes of the files in a folder, by name; null if it is not there. */
async function sizesIn(folder: string): Promise<Record<string, number> | null> {
  const names = await readdir(folder).catch(() => null);
  if (names === null) return null;
  const sizes = await Promise.all(names.map(async (name) => [name, (await sizeOf(join(folder, name))) ?? 0]));
  return Object.fromEntries(sizes) as Record<string, number>;
}

function notWritable(dir: string, error: unknown): string {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
  return (
    `the cache folder ${dir}, which converted traces are written to, cannot be written (${reason}): ` +
    'make it writable, or name another folder in the environment variable OUTRANK_CACHE'
  );
}

function readNote(text: string): Note | null {
  try {
    return v.parse(note, JSON.parse(text));
  } catch {
    return null;
  }
}

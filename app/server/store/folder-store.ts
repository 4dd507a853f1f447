import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TraceId } from '../../host/api.ts';
import { PARTIAL, partialPath, renameDurably, sync, writeDurably } from './durable.ts';
import { LostTraceError, readRecord } from './trace-store.ts';
import type { ByteRange, LocalCopy, TraceRecord, TraceStore } from './trace-store.ts';

const RECORD = 'record.json';
const FILE = 'file';
const TRACE_ID = /^[0-9a-f]{64}$/;

/**
 * Traces in a local folder: `ID/record.json`, and the trace under its own name in `ID/file`. A trace appears or is
 * removed by one rename of its folder. One process at a time uses the folder.
 */
export class FolderStore implements TraceStore {
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** The store in a folder, which is made if it is not there. What a killed process left half done is removed. */
  static async open(dir: string): Promise<FolderStore> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    for (const name of await readdir(dir)) {
      if (name.startsWith(PARTIAL)) await rm(join(dir, name), { recursive: true, force: true });
    }
    return new FolderStore(dir);
  }

  async add(record: TraceRecord, path: string): Promise<void> {
    const partial = partialPath(this.#dir);
    const kept = join(partial, FILE, record.name);
    try {
      await mkdir(join(partial, FILE), { recursive: true, mode: 0o700 });
      // A second name costs nothing; where the file system has none, or this is another one, the bytes are copied.
      await link(path, kept).catch(() => copyFile(path, kept));
      await sync(kept);
      await sync(join(partial, FILE));
      await writeDurably(join(partial, RECORD), JSON.stringify(record, null, 1));
      await this.remove(record.id);
      await renameDurably(partial, join(this.#dir, record.id));
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }

  async get(id: TraceId): Promise<TraceRecord | null> {
    if (!TRACE_ID.test(id)) return null;
    const text = await readFile(join(this.#dir, id, RECORD), 'utf8').catch(() => null);
    const record = text === null ? null : readRecord(text);
    return record?.id === id ? record : null;
  }

  async list(): Promise<readonly TraceRecord[]> {
    const names = await readdir(this.#dir);
    const records = await Promise.all(names.map((name) => this.get(name)));
    return records.filter((record) => record !== null);
  }

  async checkOut(record: TraceRecord): Promise<LocalCopy> {
    const path = join(this.#dir, record.id, FILE, record.name);
    await access(path, constants.R_OK).catch((cause: unknown) => {
      throw new LostTraceError(`${record.name}: ${path} is missing`, { cause });
    });
    return { path, release: () => Promise.resolve() };
  }

  async read(record: TraceRecord, { first, last }: ByteRange): Promise<Readable> {
    const { path } = await this.checkOut(record);
    const { size } = await stat(path);
    if (size !== record.sizeBytes)
      throw new LostTraceError(`${record.name}: ${path} has ${size} bytes, not ${record.sizeBytes}`);
    return createReadStream(path, { start: first, end: last });
  }

  async remove(id: TraceId): Promise<void> {
    if (!TRACE_ID.test(id)) return;
    const partial = partialPath(this.#dir);
    const had = await rename(join(this.#dir, id), partial).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
        throw error;
      },
    );
    if (had) await rm(partial, { recursive: true, force: true });
  }

  async check(): Promise<void> {
    await access(this.#dir, constants.R_OK | constants.W_OK);
  }
}

import * as v from 'valibot';
import { tracePart } from '../host/part.ts';

/** A converted trace that the browser keeps in the origin's private file system. */
const keptTrace = v.object({
  /** What it was made of, by content, by the converter, and by what the engine may hold. */
  key: v.string(),
  id: v.string(),
  name: v.string(),
  sizeBytes: v.number(),
  part: v.optional(tracePart),
  files: v.optional(v.array(v.string())),
  warnings: v.array(v.string()),
  /** Where it lies. */
  folder: v.string(),
  file: v.string(),
  keptBytes: v.number(),
  usedAtMs: v.number(),
});
export type KeptTrace = v.InferOutput<typeof keptTrace>;

/** The name of the list in the browser's store. */
const LIST = 'outrank.kept-traces';
/** The folder of all of them. */
export const TRACES = 'traces';
/** The most that is kept, in bytes; less where the browser gives less. */
const LIMIT_BYTES = 8e9;
/** Part of what the browser lets this origin have. */
const SHARE_OF_QUOTA = 0.5;
/** A folder that no list names and that is so old belongs to a page that was closed while it converted. */
const ABANDONED_MS = 24 * 3_600_000;

/** The converted traces that the browser keeps, the longest unused of which go first. */
export class KeptTraces {
  readonly #store: Storage;

  constructor(store: Storage) {
    this.#store = store;
  }

  list(): readonly KeptTrace[] {
    try {
      return v.parse(v.array(keptTrace), JSON.parse(this.#store.getItem(LIST) ?? '[]'));
    } catch {
      return [];
    }
  }

  usedBytes(): number {
    return this.list().reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  }

  /** A name for the folder of a trace that is to be converted; null where the browser has no such files. */
  async folder(): Promise<string | null> {
    try {
      await tracesFolder();
      return `${Date.now()}-${crypto.randomUUID()}`;
    } catch {
      return null;
    }
  }

  /** The bytes of a trace, which is now the one used last; null if they are not those that were written. */
  async open(trace: KeptTrace): Promise<Blob | null> {
    try {
      const folder = await (await tracesFolder()).getDirectoryHandle(trace.folder);
      const file = await (await folder.getFileHandle(trace.file)).getFile();
      if (file.size !== trace.keptBytes) throw new Error('it was cut');
      this.#write(
        this.list().map((each) => (each.key === trace.key ? { ...each, usedAtMs: Date.now() } : each)),
      );
      return file;
    } catch {
      await this.#remove([trace]);
      return null;
    }
  }

  async add(trace: KeptTrace): Promise<void> {
    this.#write([trace, ...this.list().filter(({ key }) => key !== trace.key)]);
    const quota = (await navigator.storage.estimate()).quota ?? LIMIT_BYTES;
    const limit = Math.min(LIMIT_BYTES, SHARE_OF_QUOTA * quota);
    let left = this.usedBytes() - limit;
    const goes: KeptTrace[] = [];
    for (const each of [...this.list()].sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (left <= 0) break;
      if (each.key === trace.key) continue;
      left -= each.keptBytes;
      goes.push(each);
    }
    await this.#remove(goes);
  }

  empty(): Promise<void> {
    return this.#remove(this.list());
  }

  async #remove(traces: readonly KeptTrace[]): Promise<void> {
    const gone = new Set(traces.map(({ folder }) => folder));
    this.#write(this.list().filter(({ folder }) => !gone.has(folder)));
    const all = await tracesFolder().catch(() => null);
    if (all === null) return;
    const named = new Set(this.list().map(({ folder }) => folder));
    for await (const name of all.keys()) {
      const isAbandoned = !named.has(name) && Date.now() - Number.parseInt(name, 10) > ABANDONED_MS;
      // One that another tab reads goes when that tab is done with it.
      if (gone.has(name) || isAbandoned)
        await all.removeEntry(name, { recursive: true }).catch(() => undefined);
    }
  }

  #write(list: readonly KeptTrace[]): void {
    this.#store.setItem(LIST, JSON.stringify(list));
  }
}

async function tracesFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(TRACES, { create: true });
}

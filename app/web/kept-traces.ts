import * as v from 'valibot';
import { tracePart } from '../host/part.ts';
import { TABLE_NAMES } from '../../shared/tables/index.ts';
import type { TableFile } from './columns-protocol.ts';
import { holdFolder, removeIfFree } from './held-folder.ts';
import { TRACES } from './private-files.ts';

const storedFile = v.object({ file: v.string(), sizeBytes: v.number() });

/** A converted trace that the browser keeps in the origin's private file system. */
const keptTrace = v.object({
  /** What it was made of, by content, by the converter, by what the engine may hold, and what of it was made. */
  key: v.string(),
  id: v.string(),
  name: v.string(),
  sizeBytes: v.number(),
  part: v.optional(tracePart),
  warnings: v.array(v.string()),
  /** Where it lies. */
  folder: v.string(),
  trace: storedFile,
  /** The tables that come with an outline; absent for a whole trace. */
  columns: v.optional(v.array(v.object({ table: v.picklist(TABLE_NAMES), ...storedFile.entries }))),
  usedAtMs: v.number(),
});
export type KeptTrace = v.InferOutput<typeof keptTrace>;

/** What was kept, to be read until it is released. */
export interface KeptFiles {
  readonly trace: Blob;
  readonly columns: readonly TableFile[] | null;
  release(): void;
}

/** The name of the list in the browser's store. */
const LIST = 'outrank.kept-traces';
/** The most that is kept, in bytes; less where the browser gives less. */
const LIMIT_BYTES = 8e9;
/** Part of what the browser lets this origin have. */
const SHARE_OF_QUOTA = 0.5;

/** The converted traces that the browser keeps. The longest unused ones go first. */
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
    return this.list().reduce((sum, trace) => sum + keptBytes(trace), 0);
  }

  /** A folder for a trace that is to be converted; null where the browser has no such files. */
  async folder(): Promise<{ readonly name: string; release(): void } | null> {
    try {
      await tracesFolder();
      const name = crypto.randomUUID();
      return { name, release: await holdFolder(name) };
    } catch {
      return null;
    }
  }

  /** The files of a trace, which is now the one used last; null if they are not those that were written. */
  async open(trace: KeptTrace): Promise<KeptFiles | null> {
    const release = await holdFolder(trace.folder);
    try {
      const folder = await (await tracesFolder()).getDirectoryHandle(trace.folder);
      const blobOf = async ({ file, sizeBytes }: KeptTrace['trace']): Promise<Blob> => {
        const blob = await (await folder.getFileHandle(file)).getFile();
        if (blob.size !== sizeBytes) throw new Error(`${file}: was cut`);
        return blob;
      };
      const columns = trace.columns?.map(async (each) => ({ table: each.table, blob: await blobOf(each) }));
      const files = {
        trace: await blobOf(trace.trace),
        columns: columns === undefined ? null : await Promise.all(columns),
      };
      this.#write(
        this.list().map((each) => (each.key === trace.key ? { ...each, usedAtMs: Date.now() } : each)),
      );
      return { ...files, release };
    } catch {
      release();
      await this.remove([trace]);
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
      left -= keptBytes(each);
      goes.push(each);
    }
    await this.remove(goes);
  }

  empty(): Promise<void> {
    return this.remove(this.list());
  }

  /** Removes traces from the list, and all files that no list names, unless a page reads or writes them. */
  async remove(traces: readonly KeptTrace[]): Promise<void> {
    const gone = new Set(traces.map(({ folder }) => folder));
    this.#write(this.list().filter(({ folder }) => !gone.has(folder)));
    const all = await tracesFolder().catch(() => null);
    if (all === null) return;
    const named = new Set(this.list().map(({ folder }) => folder));
    const names: string[] = [];
    for await (const name of all.keys()) if (!named.has(name)) names.push(name);
    for (const name of names) await removeIfFree(all, name);
  }

  #write(list: readonly KeptTrace[]): void {
    this.#store.setItem(LIST, JSON.stringify(list));
  }
}

function keptBytes({ trace, columns = [] }: KeptTrace): number {
  return columns.reduce((sum, { sizeBytes }) => sum + sizeBytes, trace.sizeBytes);
}

async function tracesFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(TRACES, { create: true });
}

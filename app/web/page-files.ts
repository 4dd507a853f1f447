import {
  FileError,
  type Files,
  type OpenFile,
  type OpenMode,
  type PathInfo,
} from '../../shared/wasi/files.ts';
import { blobSource, LARGE } from './blob-source.ts';
import type { GivenFile } from './job.ts';
import type { ByteStore } from './byte-store.ts';

/** Folders that are there. */
const FOLDERS: ReadonlySet<string> = new Set(['/', '/tmp', '/out', '/columns']);

/** The files of a converter in a page: those that the user gave, to be read, and those that the converter makes. */
export class PageFiles implements Files {
  readonly #given: ReadonlyMap<string, Blob>;
  readonly #made = new Map<string, ByteStore>();
  readonly #makeStore: () => ByteStore;

  constructor(given: readonly GivenFile[], makeStore: () => ByteStore) {
    this.#given = new Map(given.map(({ path, blob }) => [path, blob]));
    this.#makeStore = makeStore;
  }

  /** What was made and has a name still. */
  made(): readonly (readonly [string, ByteStore])[] {
    return [...this.#made];
  }

  open(asked: string, mode: OpenMode): OpenFile {
    const path = plain(asked);
    const given = this.#given.get(path);
    if (given !== undefined) {
      if (mode.writes || mode.isNew) throw new FileError('EROFS', path);
      const source = blobSource(path, given, LARGE);
      return {
        sizeBytes: () => source.sizeBytes,
        read: (into, at) => source.read(into, at),
        write() {
          throw new FileError('EROFS', path);
        },
        close: () => source.close(),
      };
    }
    const known = this.#made.get(path);
    if (known !== undefined && mode.isNew) throw new FileError('EEXIST', path);
    if (known === undefined && !mode.creates) throw new FileError('ENOENT', path);
    const store = known ?? this.#makeStore();
    if (mode.empties) store.empty();
    this.#made.set(path, store);
    return {
      sizeBytes: () => store.sizeBytes(),
      read: (into, at) => store.read(into, at),
      write: (from, at) => store.write(from, at),
      close: () => undefined,
    };
  }

  info(asked: string): PathInfo {
    const path = plain(asked);
    const sizeBytes = this.#given.get(path)?.size ?? this.#made.get(path)?.sizeBytes();
    if (sizeBytes !== undefined) return { isFolder: false, sizeBytes };
    const isFolder = FOLDERS.has(path) || [...this.#given.keys()].some((each) => each.startsWith(`${path}/`));
    if (isFolder) return { isFolder, sizeBytes: 0 };
    throw new FileError('ENOENT', path);
  }

  /** Files in a page are found by their names alone. */
  list(asked: string): never {
    throw new FileError('EINVAL', asked);
  }

  linkTarget(asked: string): string {
    this.info(asked);
    throw new FileError('EINVAL', asked);
  }

  remove(asked: string): void {
    if (!this.#made.delete(plain(asked))) throw new FileError('ENOENT', asked);
  }

  rename(from: string, to: string): void {
    const store = this.#made.get(plain(from));
    if (store === undefined) throw new FileError('ENOENT', from);
    this.#made.delete(plain(from));
    this.#made.set(plain(to), store);
  }

  makeFolder(asked: string): void {
    throw new FileError(FOLDERS.has(plain(asked)) ? 'EEXIST' : 'EROFS', asked);
  }
}

/** A path without the points that lead nowhere. */
function plain(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}`;
}

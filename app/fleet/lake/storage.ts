/** What a storage knows of a file that it has. */
export interface StoredFile {
  readonly bytes: number;
  /** When it was written, in ms since 1970 by the storage's own clock. */
  readonly atMs: number;
}

/**
 * Where a lake lies. Paths are relative, with `/` between. A file is there whole or not at all, also when a writer is killed; many
 * may write at a time. All reject with an error that names the place where it cannot be reached.
 */
export interface LakeStorage {
  /** The folder, or `s3://BUCKET/PREFIX`. */
  readonly address: string;
  /** All files whose path begins with `prefix`. */
  list(prefix: string): Promise<ReadonlyMap<string, StoredFile>>;
  /** The text of a file; null if there is none. */
  read(path: string): Promise<string | null>;
  /** Writes a text, over what was there. */
  write(path: string, text: string): Promise<void>;
  /** Writes a text where no file is; false if there is one. */
  create(path: string, text: string): Promise<boolean>;
  /** Takes over a file of this machine, over what was there; the caller removes `from`. */
  put(path: string, from: string): Promise<void>;
  /** Removes a file; nothing happens if there is none. */
  remove(path: string): Promise<void>;
  /** A file as one of this machine, to be read: where it lies, or a copy in `folder`. Null if there is none. */
  fetch(path: string, folder: string): Promise<string | null>;
  /** Where {@link LakeStorage.fetch} has a file, or the files of a folder, on this machine. */
  localPath(path: string, folder: string): string;
}

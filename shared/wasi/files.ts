/** A file that a program has open. */
export interface OpenFile {
  sizeBytes(): number;
  /** Reads from a position on into all of `into`, or up to the end of the file; how many bytes were read. */
  read(into: Uint8Array, at: number): number;
  /** Writes all of `from` at a position. */
  write(from: Uint8Array, at: number): void;
  close(): void;
}

/** How a file is opened. */
export interface OpenMode {
  readonly reads: boolean;
  readonly writes: boolean;
  /** Makes the file if there is none. */
  readonly creates: boolean;
  /** Together with `creates`: the file must not be there. */
  readonly isNew: boolean;
  readonly empties: boolean;
}

/** What is known of a path. */
export interface PathInfo {
  readonly isFolder: boolean;
  readonly sizeBytes: number;
}

/** What a folder holds. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The files of a program, by absolute paths with slashes. All of it throws errors whose `code` is one of POSIX, such as `ENOENT`, as those of Node do. */
export interface Files {
  open(path: string, mode: OpenMode): OpenFile;
  info(path: string): PathInfo;
  list(path: string): readonly FolderEntry[];
  /** Where a symbolic link leads; `EINVAL` if the path is none. */
  linkTarget(path: string): string;
  remove(path: string): void;
  rename(from: string, to: string): void;
  makeFolder(path: string): void;
}

/** An error of files that are not Node's. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(
    readonly code: 'ENOENT' | 'EEXIST' | 'EISDIR' | 'ENOTDIR' | 'EINVAL' | 'ENOSPC' | 'EBADF' | 'EROFS',
    path: string,
  ) {
    super(`${path}: ${code}`);
  }
}

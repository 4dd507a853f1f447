/** What the page and the worker that reads its files tell each other. A worker does one job. */

/** A file by the path that the converter knows it by. */
export interface GivenFile {
  readonly path: string;
  readonly blob: Blob;
}

export type Job =
  /** Reads files, for the SHA-256 of each. */
  | { readonly kind: 'hash'; readonly files: readonly GivenFile[] }
  /** Runs the converter. What it writes goes to a folder of the kept traces, or to memory if that is null. */
  | {
      readonly kind: 'convert';
      readonly files: readonly GivenFile[];
      readonly args: readonly string[];
      readonly wasmUrl: string;
      readonly folder: string | null;
    };

/** A file that the converter has written. */
export interface WrittenFile {
  readonly path: string;
  /** Its name in the folder; null if it is in memory. */
  readonly stored: string | null;
  readonly blob: Blob;
}

export type Told =
  | { readonly kind: 'read'; readonly bytes: number }
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'hashed'; readonly hashes: readonly string[] }
  | { readonly kind: 'ended'; readonly status: number; readonly written: readonly WrittenFile[] }
  | { readonly kind: 'failed'; readonly message: string };

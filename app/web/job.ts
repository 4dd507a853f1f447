/** What the page and the worker that reads its files tell each other. A worker does one job. */

import type { OpenError } from '../host/api.ts';
import type { BundleParts } from './bundle-zip.ts';

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
    }
  /** Runs the reader of symbols on PDBs, for requests of a line each. */
  | {
      readonly kind: 'symbols';
      readonly files: readonly GivenFile[];
      readonly wasmUrl: string;
      /** Each with the folders in which its PDB may be. */
      readonly requests: readonly { readonly line: string; readonly folders: readonly string[] }[];
    }
  /** Unpacks the files of a bundle's recording, to a folder of the kept traces, or to memory. */
  | { readonly kind: 'unpack'; readonly file: GivenFile; readonly folder: string | null }
  /** Writes a bundle, likewise. */
  | ({ readonly kind: 'pack'; readonly folder: string | null } & BundleParts);

/** A file that the converter has written. */
export interface WrittenFile {
  readonly path: string;
  /** Its name in the folder; null if it is in memory. */
  readonly stored: string | null;
  readonly blob: Blob;
}

/** A file of a bundle's recording. */
export interface UnpackedFile {
  readonly name: string;
  readonly blob: Blob;
}

export type Told =
  /** So many bytes more were read, of so many in all. */
  | { readonly kind: 'read'; readonly bytes: number; readonly of: number }
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'said'; readonly line: string }
  | { readonly kind: 'hashed'; readonly hashes: readonly string[] }
  | { readonly kind: 'ended'; readonly status: number; readonly written: readonly WrittenFile[] }
  | {
      readonly kind: 'unpacked';
      readonly state: unknown;
      readonly files: readonly UnpackedFile[];
      /** Those of each recording that the place compares with the first. */
      readonly others: readonly (readonly UnpackedFile[])[];
    }
  | { readonly kind: 'packed'; readonly blob: Blob }
  | { readonly kind: 'failed'; readonly message: string; readonly reason: OpenError['kind'] };

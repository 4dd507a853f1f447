import type { Call } from '../../shared/border/index.ts';
import type { BundleParts } from './bundle-zip.ts';

/** A file by the path that the converter knows it by. */
export interface GivenFile {
  readonly path: string;
  readonly blob: Blob;
}

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

/** What was unpacked from a bundle. */
export interface Unpacked {
  /** What the bundle says, which is a stranger's. */
  readonly state: unknown;
  readonly files: readonly UnpackedFile[];
  /** Those of each recording that the place compares with the first. */
  readonly others: readonly (readonly UnpackedFile[])[];
}

/** So many bytes more were read, of so many in all. */
export interface BytesRead {
  readonly bytes: number;
  readonly of: number;
}

/** A program in WebAssembly, and files of the page that it reads. */
interface Program {
  readonly files: readonly GivenFile[];
  readonly wasmUrl: string;
}

/** What a worker answers that reads files of the user. A worker does one job. A folder is one of the kept traces, or null for memory. */
export interface FileCalls {
  /** Reads files, for the SHA-256 of each, in hex. */
  hash: Call<readonly GivenFile[], readonly string[], BytesRead>;
  /** Runs the converter; notes what it prints, and the lines of its stderr. What it writes goes to the folder. */
  convert: Call<
    Program & { readonly args: readonly string[]; readonly folder: string | null },
    { readonly status: number; readonly written: readonly WrittenFile[] },
    { readonly printed: string } | { readonly said: string }
  >;
  /** Runs the reader of symbols on PDBs, for requests of a line each; notes the lines that it answers. */
  symbols: Call<
    Program & {
      /** Each with the folders in which its PDB may be. */
      readonly requests: readonly { readonly line: string; readonly folders: readonly string[] }[];
    },
    void,
    string
  >;
  /** Unpacks the files of a bundle's recording to the folder. */
  unpack: Call<{ readonly file: GivenFile; readonly folder: string | null }, Unpacked, BytesRead>;
  /** Writes a bundle to the folder. */
  pack: Call<{ readonly folder: string | null } & BundleParts, Blob, BytesRead>;
}

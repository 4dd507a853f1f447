import type { Host, OpenOptions, RemoteLakes, TracePart } from '../host/api.ts';

/** A place for a file that the host is to write. */
export interface SaveTarget {
  readonly path: string;
  /** To be called when it is written; tells the user where it is, in words. */
  done(): Promise<string>;
}

/** What the page runs in (desktop window or browser tab), as far as it differs. */
export interface Door {
  readonly host: Host;
  /** What was asked for when the page was opened. */
  readonly initial: {
    /** The trace to open at once, or the link. */
    readonly path: string | null;
    /** What of it to open; absent for all. */
    readonly part?: TracePart;
    /** The other files of its recording. */
    readonly with?: readonly string[];
  };
  /** The address of the list of traces, where this page shows one trace of a server and opens no other file. */
  readonly list?: string;
  /** Lets the user choose a trace; null if they chose none. Absent where the page cannot ask the system. */
  openDialog?(): Promise<string | null>;
  /** The path of a dropped or chosen file; null if it has none. Absent where paths are hidden from the page. */
  pathOfFile?(file: File): string | null;
  /**
   * Gives a file's bytes to the host, where its path is hidden; the path to open it by.
   * `onProgress` is told the part that is sent, 0 to 1.
   */
  upload?(file: File, onProgress: (fraction: number) => void, signal: AbortSignal): Promise<string>;
  /** Lets the user say where a file is to be written; null if they do not want it. */
  saveAs?(name: string): Promise<SaveTarget | null>;
  /**
   * Fetches the file of a trace from an address (`readFileAddress`) that the user agreed to ask; the path to open it by. Absent
   * where pages fetch no files from elsewhere.
   */
  fetchFile?(
    wanted: { readonly address: string; readonly name: string; readonly sizeBytes: number | null },
    options: OpenOptions,
  ): Promise<string>;
  /**
   * Takes PDBs that the user chose, in the place of those before, and answers how many there are; symbols are then looked for in these.
   * Absent where the host looks for them along a path.
   */
  takeSymbols?(files: readonly File[]): number;
  /** The address of the page in links; absent where links are of the desktop app, or of a team server's page. */
  readonly linkAddress?: string;
  /** Where traces go, in words; absent where they stay on this machine until one is sent. */
  readonly statement?: string;
  /** Gives the demo, where the page has it at hand. */
  demo?(): Promise<File>;
  /** The user's rules (docs/findings.md), where the page keeps them; absent where they lie in a folder. */
  readonly rules?: {
    list(): readonly string[];
    /** Rejects if a file is none. */
    add(files: readonly File[]): Promise<void>;
    remove(name: string): void;
  };
  /** What the page keeps in the browser, where it does: converted traces. */
  readonly kept?: {
    usedBytes(): number;
    empty(): Promise<void>;
  };
  /** Lakes that other programs serve; absent where a page asks that of its own server. */
  readonly lakes?: RemoteLakes | undefined;
  /** Calls `listener` with the path of each trace, each link, and each address of a lake, that is asked for from outside the page: menu, second start, system. */
  onOpenRequest?(listener: (path: string) => void): void;
}

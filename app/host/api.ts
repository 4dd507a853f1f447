import type { LoadIssue } from '../../shared/engine/index.ts';
import type { LakeAnswer, LakeAsk, ServedLake } from '../../shared/lake/index.ts';
import type { TracePart } from '../../shared/link/index.ts';
import type { ReadBatch, TableInfo } from '../../shared/tables/index.ts';
import type { TraceSummary } from '../../shared/view/index.ts';
import type { ModelSource } from './model-source/index.ts';
import type { ExportReport, ExportRequest } from './export-request.ts';
import type { TraceOverview } from './overview.ts';
import type { TeamServer } from './remote/server-schema.ts';
import type { SymbolDefaults, SymbolProgress, SymbolReport } from './symbols/report.ts';

export type { TeamServer, TracePart };

/** What an open trace is known by: the SHA-256 of the file (of all its files, and of the part if it is not all), in hex. */
export type TraceId = string;

/** The values of {@link OpenProgress.stage}. */
export const STAGES = ['download', 'hash', 'convert', 'load', 'upload'] as const;

/** How far the opening of a trace has come. */
export interface OpenProgress {
  /** `download` fetches the file, `hash` reads it, `convert` writes the Perfetto trace, `load` parses it; `upload` sends a file. */
  readonly stage: (typeof STAGES)[number];
  /** Part of this stage that is done, 0 to 1; null while it cannot be told. */
  readonly fraction: number | null;
}

/** A trace that is open: queries can be asked of it. */
export interface OpenTrace {
  readonly id: TraceId;
  /** The names of the files, without their folders. */
  readonly name: string;
  readonly sizeBytes: number;
  /** What the converter and the engine could not read or lost, in words for the user. */
  readonly warnings: readonly string[];
  readonly issues: readonly LoadIssue[];
  /** Null of a Perfetto trace that was not converted from an `.etl`: no view can show it. */
  readonly summary: TraceSummary | null;
  /** What of the opening could not be kept, in words; absent if nothing. The trace is whole all the same. */
  readonly notes?: readonly string[] | undefined;
  /** The names of the recording's files in their order; absent if there is but one. */
  readonly files?: readonly string[] | undefined;
  /** What of it was opened; absent for all. */
  readonly part?: TracePart | undefined;
  /** The tables that {@link Host.readTable} reads; absent where it has none. */
  readonly tables?: readonly TableInfo[] | undefined;
  /** True where symbols were loaded before it was opened once more. */
  readonly hasSymbols?: boolean | undefined;
  /** True where {@link Host.models} makes models of it. */
  readonly makesModels?: boolean | undefined;
  /** Of a bundle: the files that came with it, of the traces that its place compares with this one; absent where there are none. */
  readonly compared?: readonly string[] | undefined;
  /** Of a bundle: what it says of the place to show, as JSON; a stranger's, to be read by `readState`. */
  readonly state?: unknown;
}

/** A link that was made or opened on this machine, newest first in {@link Host.links}. */
export interface KeptLink {
  readonly link: string;
  /** What it is called; empty if nothing. */
  readonly title: string;
  /** Of the trace. */
  readonly name: string;
  /** When it was last made or opened, in ms since 1970 UTC. */
  readonly usedAtMs: number;
}

/** A trace opened before, or fetched, newest first in {@link Host.recent}. */
export interface RecentTrace {
  readonly id: TraceId;
  readonly name: string;
  readonly path: string;
  /** The other files of the recording; absent if there are none. */
  readonly with?: readonly string[] | undefined;
  readonly sizeBytes: number;
  /** What of it was opened; absent for all. */
  readonly part?: TracePart | undefined;
  /** When it was last opened, in ms since 1970 UTC. */
  readonly openedAtMs: number;
}

/** A panel or a dashboard that lies on disk. */
export interface UserFile {
  readonly name: string;
  readonly text: string;
  /** Whether it lies in the user's folder or in the trace's. */
  readonly from: 'user' | 'trace';
  /** Whether this very text was written here, or read and let run by the user. */
  readonly confirmed: boolean;
}

/** The user's rules (docs/findings.md), as they lie on disk. */
export interface RuleFolder {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Files that are not taken, each with the reason, which names the file. */
  readonly refused: readonly { readonly id: string; readonly message: string }[];
}

/** The files as they are now. */
export interface UserFileList {
  /** Another one for other files. */
  readonly stamp: string;
  /** Panels and dashboards. */
  readonly files: readonly UserFile[];
  /** The user's rules; they lie in no other folder, and need no confirmation. */
  readonly rules: RuleFolder;
}

/** The longest panel, dashboard or kept text, in UTF-16 units. */
export const LONGEST_USER_FILE = 1 << 20;

/** What is kept from session to session, whatever address the page has. */
export const KEPT_NAMES = ['query-history', 'pins'] as const;
export type KeptName = (typeof KEPT_NAMES)[number];

/** Panels and dashboards of the user, and what the user keeps from session to session. */
export interface UserFiles {
  /** The files in the user's folder and in a trace's. Where `since` is their stamp, it answers once they have changed. */
  list(trace: TraceId | null, since: string | null, signal?: AbortSignal): Promise<UserFileList>;
  /** Writes a file into the user's folder, over one of the same name. */
  save(name: string, text: string): Promise<void>;
  /** Notes that the user has read a text and lets it run. */
  confirm(text: string): Promise<void>;
  /** Whether the user has read a text and lets it run. */
  isConfirmed(text: string): Promise<boolean>;
  kept(name: KeptName): Promise<string | null>;
  keep(name: KeptName, text: string): Promise<void>;
}

/**
 * The one place that touches files and processes, as the UI sees it: the same interface in process (command line),
 * over a MessagePort (window) and over a WebSocket (browser).
 */
export interface Host {
  /**
   * Opens a trace file, or a bundle that holds one: hashes, converts if the cache has it not, loads.
   * Aborting ends the converter and the engine and leaves nothing half made.
   */
  open(path: string, options: OpenOptions): Promise<OpenTrace>;
  /**
   * Loads all of an open trace into an engine, if only its outline was; what the engine says of it. Whoever asks SQL of it waits
   * for that anyway: this tells how far it has come.
   */
  loadWhole(id: TraceId, options: OpenOptions): Promise<OpenTrace>;
  /**
   * Columns of a batch of a table of {@link OpenTrace.tables}, by their numbers, as `packBatch` packs them. With stretches of
   * time: the parts of the batch that these touch, and some rows around them, as `packParts` does. Rejects with a `RangeError`
   * for what is not there, and with a `ColumnsError` for a damaged file.
   */
  readTable(id: TraceId, ...which: Parameters<ReadBatch>): Promise<Uint8Array>;
  /**
   * Makes models of the views of an open trace where its files are, so that only pictures travel; of a trace that says
   * {@link OpenTrace.makesModels}. They come packed (`packModel`). Who asks for it has it to itself until it is ended. Absent where
   * pages make their models.
   */
  models?(id: TraceId): ModelSource<Uint8Array>;
  /**
   * Runs SQL on the outline of an open trace: all but what its tables in columns have. It answers long before the whole does. Where
   * there are no columns the outline is the whole.
   */
  queryOutline(id: TraceId, sql: string, signal?: AbortSignal): Promise<Uint8Array>;
  /**
   * Runs SQL on an open trace, as `Engine.query` does. Rejects with `EngineError` kinds. Aborting says that the caller no longer
   * waits for the answer. A host that many share then gives the answer up with an `AbortError`. Another host may still answer.
   */
  query(id: TraceId, sql: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** Runs SQL on an open trace, as `Engine.queryInParts` does. */
  queryInParts(id: TraceId, sql: string, onPart: (bytes: Uint8Array) => void): Promise<void>;
  /** Ends whatever the trace's engine does, and loads the trace again. Pending queries reject. */
  restart(id: TraceId, options: OpenOptions): Promise<OpenTrace>;
  /**
   * Looks for the symbols of all images in stacks, and puts the functions into `etw_symbol` in the place of those before.
   * The path is in the language of `_NT_SYMBOL_PATH`; nothing is fetched but from servers that it names.
   */
  loadSymbols(id: TraceId, path: string, options: SymbolCall): Promise<SymbolReport>;
  /** Where symbols would be looked for and kept. */
  symbolDefaults(): Promise<SymbolDefaults>;
  close(id: TraceId): Promise<void>;
  recent(): Promise<readonly RecentTrace[]>;
  /**
   * Writes the recording of an open trace, to be given away, to the file `output`: a Perfetto trace without what the
   * request takes out. With `output` null it only tells what would be in it. It comes into being whole or not at all.
   */
  export(
    id: TraceId,
    request: ExportRequest,
    output: string | null,
    options: OpenOptions,
  ): Promise<ExportReport>;
  /**
   * Fetches the file of a trace from a team server, or finds it among those that were fetched before; its path. The bytes are
   * those of the id, or it rejects.
   */
  fetch(from: TeamServer, wanted: WantedTrace, options: OpenOptions): Promise<string>;
  /** Uploads an open trace to a team server: an export of it, or its file as it is. What was exported is removed again. */
  send(id: TraceId, gift: Gift, to: TeamServer, options: OpenOptions): Promise<SentTrace>;
  /** Writes an open trace, and a place in it, to the bundle `output`; it comes into being whole or not at all. */
  bundle(id: TraceId, gift: Gift, place: BundlePlace, output: string, options: OpenOptions): Promise<void>;
  /** The links that were kept on this machine. */
  links(): Promise<readonly KeptLink[]>;
  /** Puts a link first among those that are kept. */
  keepLink(link: KeptLink): Promise<void>;
  readonly userFiles: UserFiles;
  /** Lakes of servers that the user is connected to; absent where pages ask their own server alone. */
  readonly lakes?: RemoteLakes;
}

/** Lakes (docs/lake.md) that other programs serve. What a server refuses, or that it does not answer, is an {@link OpenError}. */
export interface RemoteLakes {
  about(server: TeamServer, signal?: AbortSignal): Promise<ServedLake>;
  ask(server: TeamServer, asked: LakeAsk, signal?: AbortSignal): Promise<LakeAnswer>;
  /** The path of a trace that was added to a lake on this machine; null where none was noted, or the file is gone. */
  placeOf(id: TraceId): Promise<string | null>;
}

/** What of an open trace is given away: an export that holds so much, or, with null, its files as they are. */
export type Gift = ExportRequest | null;

/** A trace that is to be fetched. */
export interface WantedTrace {
  /** The SHA-256 of its file. */
  readonly id: TraceId;
  /** What the link says; null if it says nothing. */
  readonly sizeBytes: number | null;
}

/** A trace that a team server has been given. */
export interface SentTrace {
  /** What the server knows it by. */
  readonly id: TraceId;
  readonly name: string;
  readonly sizeBytes: number;
  /** The address that shows it. */
  readonly url: string;
  /** What deletes it; null if the server had it already. */
  readonly deleteToken: string | null;
}

/** The place that a bundle shows, as the JSON of a link's state; the trace in it is the bundle's, whatever it says. */
export type BundlePlace = Readonly<Record<string, unknown>>;

/** Progress and cancel of a search for symbols. */
export interface SymbolCall {
  readonly onProgress?: (progress: SymbolProgress) => void;
  readonly signal?: AbortSignal;
}

/** What to open, and progress and cancel of a long call. */
export interface OpenOptions {
  /** Absent: all. */
  readonly part?: TracePart | undefined;
  /** Paths of other files of the same recording, merged with the first by time; absent if there are none. */
  readonly with?: readonly string[] | undefined;
  /**
   * True: scheduling is written as columns and only the outline of the trace is loaded, if the trace allows for that; the whole
   * once SQL asks for it.
   */
  readonly columns?: boolean | undefined;
  /** The id that the trace must have, or it is refused before it is converted; absent: any. */
  readonly expected?: TraceId | undefined;
  readonly onProgress?: (progress: OpenProgress) => void;
  readonly signal?: AbortSignal;
}

/** Why a trace could not be opened or asked; the message is one line for the user and names the file. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
  constructor(
    /**
     * `file`: missing, unreadable, or changing while it was read; `not_a_trace`: no trace that can be read;
     * `other_trace`: not the trace that was expected; `selection`: the part that was asked for is not in the trace; `too_large`: more than the engine holds;
     * `server`: a team server refused or did not answer; `token`: it wants another token;
     * `symbols`: the symbol path cannot be meant, or `outrank-symbols` is missing or failed;
     * `converter`: the converter is missing or failed; `cache`: its folder cannot be written; `refused`: this host may not open that file;
     * `not_open`: no open trace has that id; `disconnected`: the host is gone.
     */
    readonly kind: (typeof OPEN_ERROR_KINDS)[number],
    message: string,
  ) {
    super(message);
  }
}

/** A trace that the engine cannot hold: what it holds, so that a part can be chosen. */
export class TooLargeError extends OpenError {
  constructor(
    message: string,
    readonly overview: TraceOverview,
  ) {
    super('too_large', message);
  }
}

/** The values of {@link OpenError.kind}. */
export const OPEN_ERROR_KINDS = [
  'file',
  'not_a_trace',
  'other_trace',
  'selection',
  'too_large',
  'converter',
  'cache',
  'symbols',
  'refused',
  'server',
  'token',
  'not_open',
  'disconnected',
] as const;

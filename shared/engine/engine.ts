import type { QueryResult } from './result.ts';

/** One row of trace_processor's `stats` that reports an error or lost data. */
export interface LoadIssue {
  readonly name: string;
  readonly index: number | null;
  readonly severity: 'error' | 'data_loss';
  readonly value: number;
  readonly description: string;
}

/** What a finished load says of itself. */
export interface LoadReport {
  readonly issues: readonly LoadIssue[];
  /** False where the end marker that the converter writes last is missing: the file was cut. */
  readonly complete: boolean;
}

/** A table in columns: an uncompressed Arrow IPC file, as `shared/columns` reads it. */
export interface ColumnsFile {
  /** What SQL calls it. */
  readonly table: string;
  readonly path: string;
  /** Columns that SQL finds the rows of one value by: each takes a sort at first use, and 4 to 12 bytes a row. */
  readonly indexes?: readonly string[] | undefined;
  /** Columns that SQL finds the rows of a range by: one that `ascends` from row to row takes neither a sort nor memory. */
  readonly ranges?: readonly { readonly column: string; readonly ascends: boolean }[] | undefined;
  /** The column that numbers the rows from 0 on. SQL finds a row by it, also where the file leaves it out. */
  readonly numbered?: string | undefined;
}

/**
 * One trace in one trace_processor, in a worker or process of its own.
 * Queries run one after another, in the order in which they were asked.
 */
export interface Engine {
  /**
   * Loads the Perfetto trace at `path`, in chunks. Progress is the part of the file that is parsed, 0 to 1. SQL reads `columns`
   * as tables, straight from their files, which must stay as they are until the next load. Without a trace (null) they are
   * all that SQL reads: nothing of the package `etw` is built.
   */
  load(
    path: string | null,
    onProgress: (fraction: number) => void,
    columns?: readonly ColumnsFile[],
  ): Promise<LoadReport>;
  /**
   * Runs SQL (several statements: the rows are the last one's) and gives the reply as trace_processor's own
   * `QueryResult` messages, joined: what `decodeQueryResult` reads. Small to carry over any transport.
   * Modules of the package `etw` whose tables it names are built first, if they are not yet: that can take seconds.
   * Rejects with an {@link EngineError}.
   */
  query(sql: string): Promise<Uint8Array>;
  /**
   * As {@link query}, but gives the reply in parts while the engine works: each is whole `QueryResult` messages, what
   * `GrowingResult` takes. Nothing of it is kept here, so that a result may be larger than one message can be.
   */
  queryInParts(sql: string, onPart: (bytes: Uint8Array) => void): Promise<void>;
  /** Gives the codes of the main reasons of all ready waits that were lent, by row, before SQL reads them. */
  giveReasons(codes: Uint8Array): Promise<void>;
  /** Ends the worker at once, whatever it does; pending calls reject with an `EngineError` of kind `ended`. */
  end(): Promise<void>;
}

/** Why a call to the engine failed. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(
    /**
     * `sql`: the statement is wrong; `load`: the trace is; `crashed`: trace_processor is gone since this was asked; `not_asked`: it
     * was gone before, so that another engine can be asked the same; `ended`: it was ended.
     */
    readonly kind: (typeof ENGINE_ERROR_KINDS)[number],
    message: string,
    /** Where in the SQL text, both from 1, if trace_processor said so. */
    readonly place: { readonly line: number; readonly column: number } | null = null,
  ) {
    super(message);
  }
}

/** What the message of an engine says that was given no more memory; its text crosses borders, where a field would not. */
export const OUT_OF_MEMORY = 'the trace needs more memory than trace_processor can have';

/** Whether an engine ended since it was given no more memory. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof EngineError && error.message.includes(OUT_OF_MEMORY);
}

/** The values of {@link EngineError.kind}. */
export const ENGINE_ERROR_KINDS = ['sql', 'load', 'crashed', 'not_asked', 'ended'] as const;

/** Runs SQL with `:name` parameters bound, and decodes the rows. What views are given. */
export type Query = (sql: string, bindings?: Bindings) => Promise<QueryResult>;

/** Values for the `:name` parameters of a statement. */
export type Bindings = Readonly<Record<string, number | bigint | string | null>>;

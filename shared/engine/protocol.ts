import * as v from 'valibot';
import { errorForm, type Call, type ErrorForm } from '../border/index.ts';
import { ENGINE_ERROR_KINDS, EngineError, type ColumnsFile, type LoadReport } from './engine.ts';

/** What the worker of an engine answers, one call after another. */
export interface EngineCalls {
  /** Comes first. If it fails, each later call says why. */
  start: Call<{ readonly wasmPath: string; readonly memoryBytesMax: number | undefined }>;
  /** Notes the part of the trace that is parsed. */
  load: Call<{ readonly path: string | null; readonly columns: readonly ColumnsFile[] }, LoadReport, number>;
  /** Notes parts of the rows before the last one, if it is asked for parts. */
  query: Call<{ readonly sql: string; readonly inParts: boolean }, Uint8Array, Uint8Array>;
  /** Codes of reasons of ready waits, by row. */
  giveReasons: Call<Uint8Array>;
}

/** What the thread of an engine is started with. */
export interface EngineWorkerData {
  /** The code of `trace_processor.wasm`; absent: the worker compiles it. */
  readonly code?: WebAssembly.Module | undefined;
}

/** How an {@link EngineError} crosses a border. */
export const ENGINE_ERROR: ErrorForm = errorForm(
  'EngineError',
  EngineError,
  v.object({
    kind: v.picklist(ENGINE_ERROR_KINDS),
    place: v.nullable(v.object({ line: v.number(), column: v.number() })),
  }),
  (message, { kind, place }) => new EngineError(kind, message, place),
);

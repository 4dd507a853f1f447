/** What the client and the worker of an engine tell each other. */
import type { ColumnsFile, EngineError, LoadReport } from './engine.ts';

/** From the client. `start` comes first and has no answer; each other call has one under the same `id`. */
export type ToWorker =
  | { readonly call: 'start'; readonly wasmPath: string; readonly memoryBytesMax?: number | undefined }
  | {
      readonly call: 'load';
      readonly id: number;
      readonly path: string | null;
      readonly columns: readonly ColumnsFile[];
    }
  | { readonly call: 'query'; readonly id: number; readonly sql: string; readonly inParts: boolean };

/** From the worker. `progress` and `part` are no answers yet. */
export type FromWorker =
  | { readonly kind: 'progress'; readonly id: number; readonly fraction: number }
  | { readonly kind: 'loaded'; readonly id: number; readonly report: LoadReport }
  | { readonly kind: 'part'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'rows'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly id: number; readonly error: ErrorData };

/** An {@link EngineError} as plain data, which is all that a message keeps of an error. */
export type ErrorData = Pick<EngineError, 'kind' | 'message' | 'place'>;

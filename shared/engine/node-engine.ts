import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { threadPort } from '../border/index.ts';
import { connectEngine } from './client.ts';
import type { Engine } from './engine.ts';
import type { EngineWorkerData } from './protocol.ts';
import { startWithQuickCode } from './quick-code.ts';

/** Where the parts of an engine lie. */
export interface NodeEngineOptions {
  /** The bundle of `worker.ts`. */
  readonly workerPath: string;
  /** `trace_processor.wasm`. */
  readonly wasmPath: string;
  /** The most memory that it may take; absent: as much as there can be. */
  readonly memoryBytesMax?: number | undefined;
  /** The code of `trace_processor.wasm`, where somebody holds it; absent: the worker compiles it, or looks it up by its bytes. */
  readonly code?: WebAssembly.Module | undefined;
}

/** An engine in a worker thread of this process. It keeps the process alive until it is ended. */
export function startNodeEngine({ workerPath, wasmPath, memoryBytesMax, code }: NodeEngineOptions): Engine {
  const workerData: EngineWorkerData = { code };
  return connectEngine(threadPort(new Worker(workerPath, { workerData })), wasmPath, memoryBytesMax);
}

/**
 * Keeps the code of engines that end, so that the next one need not compile it again: V8 shares the code of a module that somebody
 * holds. Whoever starts engines one after the other holds what this gives; it rejects where there is no module.
 */
export async function engineCode(wasmPath: string): Promise<WebAssembly.Module> {
  // Engines that share the code do not compile it: when it is optimised is settled here.
  startWithQuickCode();
  return WebAssembly.compile(await readFile(wasmPath));
}

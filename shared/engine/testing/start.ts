/** Real engines for tests: the WebAssembly of `vendor/engine`, the worker bundled from its source. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { etwModules } from '../../sql/index.ts';
import { makeQuery } from '../bind.ts';
import { decodeQueryResult } from '../decode.ts';
import { EtwTables } from '../etw-tables.ts';
import { startNodeEngine } from '../node-engine.ts';
import { TraceProcessor } from '../processor.ts';
import type { Engine, Query } from '../engine.ts';
import type { Row } from '../result.ts';

/** `trace_processor.wasm`, which `scripts/fetch-engine.mjs` puts here. */
export const wasmPath = fileURLToPath(
  new URL('../../../vendor/engine/trace_processor.wasm', import.meta.url),
);

let compiled: Promise<WebAssembly.Module> | undefined;

/** An engine in this thread, without a trace. */
export async function startProcessor(memoryBytesMax?: number): Promise<TraceProcessor> {
  compiled ??= readFile(wasmPath).then((bytes) => WebAssembly.compile(bytes));
  return TraceProcessor.start(await compiled, memoryBytesMax);
}

async function processorOf(trace: Uint8Array): Promise<TraceProcessor> {
  const processor = await startProcessor();
  processor.append(trace);
  processor.finalize();
  return processor;
}

/** An engine in this thread with a trace and all tables of the package `etw`. */
export async function processorWith(trace: Uint8Array): Promise<TraceProcessor> {
  const processor = await processorOf(trace);
  processor.register('etw', etwModules);
  for (const { name } of etwModules) processor.query(`INCLUDE PERFETTO MODULE ${name};`);
  return processor;
}

/** What asks an engine in this thread of a trace. Tables of the package `etw` are built when SQL first names them, as in the app. */
export async function queryOf(trace: Uint8Array | { finish(): Uint8Array }): Promise<Query> {
  const tables = new EtwTables(await processorOf('finish' in trace ? trace.finish() : trace));
  return makeQuery((sql) => Promise.resolve(tables.query(sql)));
}

/** All rows of a query. */
export function rowsOf(processor: { query(sql: string): Uint8Array }, sql: string): Row[] {
  return [...decodeQueryResult(processor.query(sql)).rows()];
}

/** A folder for a test's files, and engines in worker threads as the app starts them. */
export class EngineBench {
  readonly folder: string;
  /** The bundle of `worker.ts`. */
  readonly workerPath: string;
  readonly #engines: Engine[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.workerPath = join(folder, 'engine-worker.cjs');
  }

  static async make(): Promise<EngineBench> {
    const bench = new EngineBench(await mkdtemp(join(tmpdir(), 'outrank-engine-')));
    await build({
      entryPoints: [fileURLToPath(new URL('../worker.ts', import.meta.url))],
      outfile: bench.workerPath,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      loader: { '.sql': 'text' },
    });
    return bench;
  }

  start(wasm = wasmPath): Engine {
    const engine = startNodeEngine({ workerPath: this.workerPath, wasmPath: wasm });
    this.#engines.push(engine);
    return engine;
  }

  /** Writes a file into the folder, and gives its path. */
  async file(name: string, bytes: Uint8Array | string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, bytes);
    return path;
  }

  async end(): Promise<void> {
    await Promise.all(this.#engines.map((engine) => engine.end()));
    await rm(this.folder, { recursive: true });
  }
}

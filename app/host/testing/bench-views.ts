/** What the benchmarks of views share: a host, a trace that is open in it, and a clock. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Query } from '../../../shared/engine/index.ts';
import { startNodeEngine } from '../../../shared/engine/node-engine.ts';
import { readParams, type TimeRange } from '../../../shared/view/index.ts';
import type { AnyView } from '../../../views/index.ts';
import type { OpenOptions } from '../api.ts';
import { createHost } from '../create-host.ts';
import { hostQuery } from '../host-query.ts';
import { findCheckout, locate } from '../locate.ts';
import { askHost } from '../ask-host.ts';
import type { AskBytes, TraceTables } from '../model-source/index.ts';

/** A trace to measure with. */
export interface BenchTrace {
  readonly query: Query;
  /** Asks the same trace, with nothing kept of what was asked before. */
  readonly fresh: () => Query;
  readonly range: TimeRange;
  /** What a worker of models needs to ask it. */
  readonly ask: AskBytes;
  readonly tables: Pick<TraceTables, 'tables' | 'folder'>;
}

/** Opens the trace at `path` with the converter's cache in `cacheDir`, lets `use` measure, and ends the host. */
export async function withBenchTrace(
  path: string,
  cacheDir: string,
  options: OpenOptions,
  use: (trace: BenchTrace) => Promise<void>,
): Promise<void> {
  const places = locate(findCheckout(import.meta.dirname));
  const workerPath = join(places.dist, 'engine-worker.cjs');
  const wasmPath = join(places.engine, 'trace_processor.wasm');
  const startEngine = () => Promise.resolve(startNodeEngine({ workerPath, wasmPath }));
  const { converter: converterPath, symbolizer: symbolizerPath } = places;
  const host = createHost({ cacheDir, converterPath, symbolizerPath, startEngine });
  try {
    const opened = await host.open(path, options);
    const fresh = () => hostQuery(host, opened);
    const query = fresh();
    const { summary } = opened;
    if (summary === null) throw new Error(`${path}: no Windows trace`);
    const ask: AskBytes = (wish, signal) => askHost(host, opened.id, wish, signal);
    await use({
      query,
      fresh,
      range: summary.range,
      ask,
      tables: { tables: opened.tables, folder: await columnsFolder(cacheDir) },
    });
  } finally {
    await host.end();
  }
}

/** Where the only trace of a cache has its columns; undefined where it has none. */
async function columnsFolder(cacheDir: string): Promise<string | undefined> {
  const traces = join(cacheDir, 'traces');
  const [entry] = await readdir(traces);
  const folder = entry === undefined ? '' : join(traces, entry, 'columns');
  return existsSync(folder) ? folder : undefined;
}

/** Loads a view's model with some params. */
export function loadView(
  { query, range }: Pick<BenchTrace, 'query' | 'range'>,
  view: AnyView,
  params: Readonly<Record<string, unknown>>,
) {
  return view.load(query, readParams(view.params, params), range);
}

/** How long something took, engine and page together: on the clock, and of processors, which a busy machine changes less. */
export interface Times {
  readonly wall_ms: number;
  readonly processors_ms: number;
}

/** How long `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<Times> {
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const wall_ms = performance.now() - began;
  // Asked after the clock: it can take milliseconds itself.
  const { user, system } = process.cpuUsage(before);
  return { wall_ms, processors_ms: (user + system) / 1000 };
}

/** Times in words. */
export function formatTimes({ wall_ms, processors_ms }: Times): string {
  return `${wall_ms.toFixed(0)} ms (${processors_ms.toFixed(0)} ms of processors)`;
}

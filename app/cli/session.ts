import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '../../shared/engine/index.ts';
import { engineCode, startNodeEngine } from '../../shared/engine/node-engine.ts';
import type { TraceSummary } from '../../shared/view/index.ts';
import { OpenError, type Host, type OpenOptions, type OpenTrace } from '../host/api.ts';
import { createHost } from '../host/create-host.ts';
import type { HostOptions, LocalHost } from '../host/create-host.ts';
import { engineBytes } from '../host/overview.ts';
import type { ConverterLimits } from '../host/run-converter.ts';
import { inOneThread, nodeModels } from '../models/node-models.ts';
import { cacheDir, findCheckout, locate } from '../host/locate.ts';
import { progressLine, say } from './terminal.ts';

type HostModels = NonNullable<HostOptions['models']>;

/** The folder that holds `dist/` and `vendor/`. */
export const root = findCheckout(dirname(fileURLToPath(import.meta.url)));
/** The version of this Outrank. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}
/** Where the parts of this Outrank are. */
export const places = locate(root);

/** The script that is `outrank`, for the program that runs this process. */
export const launcher = join(root, 'app', 'cli', 'outrank.mjs');

const wasmPath = join(places.engine, 'trace_processor.wasm');

/** An engine in a thread of its own. */
export function startEngine(memoryBytesMax?: number): Engine {
  const workerPath = join(places.dist, 'engine-worker.cjs');
  return startNodeEngine({ workerPath, wasmPath, memoryBytesMax });
}

/** How a host of this process works, and what it may take. */
export interface HostWish extends Pick<HostOptions, 'models' | 'measuresBehind' | 'parquetDir' | 'eventsOf'> {
  /** What a conversion may take; absent: all. */
  readonly converter?: ConverterLimits | undefined;
  /** The most memory of each engine; absent: as much as there can be. */
  readonly engineMemoryBytes?: number | undefined;
  /** Told before each engine starts. */
  readonly onEngine?: (() => void) | undefined;
}

/** A host in this process, each engine in a thread of its own; what it converts is kept in `cache`. */
export function startHost(cache = cacheDir(), wish: HostWish = {}): LocalHost {
  const { converter, engineMemoryBytes, onEngine, models = hostModels(), ...more } = wish;
  return createHost({
    ...more,
    cacheDir: cache,
    converterPath: places.converter,
    ...(converter && { converterLimits: converter }),
    symbolizerPath: places.symbolizer,
    engineBytes: engineBytes(process.env.OUTRANK_ENGINE_BYTES, engineMemoryBytes),
    startEngine: () => {
      onEngine?.();
      return Promise.resolve(startEngine(engineMemoryBytes));
    },
    models,
  });
}

function hostModels(): HostModels {
  return nodeModels(join(places.dist, 'models-worker.cjs'), wasmPath);
}

/** What traces share that are opened one after the other; to be ended after them. */
export interface Shared {
  readonly models: ReturnType<typeof inOneThread>;
  /** Keeps the code of engines from the first one on, see {@link engineCode}: many traces need none. */
  readonly onEngine: () => void;
}

/** What traces can share that are opened one after the other. */
export function startShared(): Shared {
  let code: Promise<unknown> | undefined;
  // Without it engines start all the same.
  const onEngine = () => void (code ??= engineCode(wasmPath).catch(() => null));
  return { models: inOneThread(hostModels()), onEngine };
}

/** How a trace is opened. */
interface Opening extends Pick<OpenOptions, 'part' | 'with' | 'columns'> {
  /** Where symbols are loaded from; absent: none are. */
  readonly symbols?: readonly string[] | undefined;
  /** What it shares with those that are opened before and after it; absent: nothing. */
  readonly shared?: Shared;
}

/** What is known of a Windows trace. Throws for any other, and says what follows from that. */
export function summaryOf(
  { summary }: Pick<OpenTrace, 'summary'>,
  path: string,
  consequence: string,
): TraceSummary {
  if (summary !== null) return summary;
  throw new OpenError('not_a_trace', `${path}: no Windows trace, so that ${consequence}`);
}

/** Opens a trace, loads symbols if paths to them are given, lets `use` ask it, and closes it. The exit code: 3 where the trace is damaged, else 0. */
export async function withTrace(
  path: string,
  use: (host: Host, trace: OpenTrace) => Promise<void>,
  { symbols = [], shared, ...opening }: Opening,
): Promise<number> {
  const host = startHost(undefined, shared);
  const line = progressLine();
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const trace = await host
      .open(path, { ...opening, onProgress: line.show, signal: interrupt.signal })
      .finally(line.clear);
    for (const told of [...trace.warnings, ...(trace.notes ?? [])]) say(told);
    for (const { name, severity, value, description } of trace.issues) {
      say(
        `${trace.name}: ${severity === 'data_loss' ? 'data loss' : 'error'}: ${name} = ${value} (${description})`,
      );
    }
    if (symbols.length > 0) {
      const { signal } = interrupt;
      await host
        .loadSymbols(trace.id, symbols.join(';'), { onProgress: line.showSymbols, signal })
        .finally(line.clear);
    }
    process.off('SIGINT', onInterrupt);
    await use(host, symbols.length > 0 ? { ...trace, hasSymbols: true } : trace);
    return trace.warnings.length > 0 ? 3 : 0;
  } finally {
    process.off('SIGINT', onInterrupt);
    await host.end();
  }
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { engineCode, startNodeEngine } from '../../../shared/engine/node-engine.ts';
import { startProcessEngine } from '../../../shared/engine/process-engine.ts';
import type { Engine } from '../../../shared/engine/index.ts';
import { nodeModels } from '../../models/node-models.ts';
import { createHost } from '../create-host.ts';
import type { HostOptions, LocalHost } from '../create-host.ts';
import { findCheckout, locate } from '../locate.ts';
import { atEnd } from './at-end.ts';

export { atEnd };

/** The checkout under test, and its parts. */
export const root = findCheckout(import.meta.dirname);
export const places = locate(root);

const synth = process.env.OUTRANK_SYNTH ?? join(root, 'converter', 'target', 'release', 'outrank-synth');
const wasmPath = join(places.engine, 'trace_processor.wasm');
const workerPath = join(places.dist, 'engine-worker.cjs');
const modelsPath = join(places.dist, 'models-worker.cjs');

const missing = [places.converter, synth, wasmPath, workerPath, modelsPath].filter(
  (path) => !existsSync(path),
);
if (missing.length > 0)
  console.warn(`SKIPPED, run scripts/setup.sh first: there is no ${missing.join(', ')}`);

/**
 * With what Node runs `outrank`. V8 would optimise the largest functions of an engine, which takes longer than what tests ask of the
 * engine of such a process.
 */
export const OUTRANK = ['--liftoff-only', join(root, 'app', 'cli', 'outrank.mjs')] as const;

/** A group of tests that need the real converter, traces made by `outrank-synth`, and the real engine. */
export const describeReal = describe.skipIf(missing.length > 0);

/** Held, so that engines run code that is compiled once. Without it they start all the same. */
export const heldCode = missing.length > 0 ? null : engineCode(wasmPath).catch(() => null);

/** A folder that is removed after the tests of this file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'outrank-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Writes a synthetic trace; the other arguments are those of `outrank-synth`. */
export function writeTrace(path: string, ...scenario: string[]): string {
  execFileSync(synth, [...scenario, '--out', path], { stdio: 'pipe' });
  return path;
}

export async function startEngine(): Promise<Engine> {
  const code = (await heldCode) ?? undefined;
  return startNodeEngine({ workerPath, wasmPath, code });
}

/** An engine in a process of its own, with so little memory that a query can soon take all of it. */
export const startSmallEngine = (): Promise<Engine> =>
  Promise.resolve(startProcessEngine({ workerPath, wasmPath, memoryBytesMax: 128 << 20 }));

/** What makes models in threads, with the real engine. */
export const hostModels = (): NonNullable<HostOptions['models']> => nodeModels(modelsPath, wasmPath);

/** A host with the real converter and engine; it ends after the tests of this file. */
export function startHost(cacheDir: string, options: Partial<HostOptions> = {}): LocalHost {
  const host = createHost({
    cacheDir,
    converterPath: places.converter,
    symbolizerPath: places.symbolizer,
    startEngine,
    models: hostModels(),
    ...options,
  });
  atEnd(() => host.end());
  return host;
}

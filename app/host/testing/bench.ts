/** Measures the way from a file to the first picture: `node scripts/bench.mjs open TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeQuery, TableBuilder } from '../../../shared/engine/index.ts';
import { startNodeEngine } from '../../../shared/engine/node-engine.ts';
import { readParams } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import type { OpenProgress } from '../api.ts';
import { createHost } from '../create-host.ts';
import { findCheckout, locate } from '../locate.ts';
import { summariseTrace } from '../trace-summary.ts';

type Stage = OpenProgress['stage'] | 'tables' | 'picture';

/**
 * Opens the trace twice, with an empty cache and from the cache, and loads the first view. Prints the seconds of each
 * stage, and the whole as a multiple of what the engine alone takes (`load` and `tables`).
 */
export async function bench(path: string): Promise<void> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    for (const cache of ['empty cache', 'from cache']) {
      const stages = await measureOpen(path, cacheDir);
      const whole = [...stages.values()].reduce((sum, seconds) => sum + seconds, 0);
      const engine = (stages.get('load') ?? 0) + (stages.get('tables') ?? 0);
      const parts = [...stages].map(([stage, seconds]) => `${stage} ${seconds.toFixed(2)}`);
      console.log(
        `${cache}: ${parts.join(', ')}; whole ${whole.toFixed(2)} s = ${(whole / engine).toFixed(2)} x engine`,
      );
    }
  } finally {
    await rm(cacheDir, { recursive: true });
  }
}

/** Seconds by stage, in order; the time between two stages counts to the earlier one. */
async function measureOpen(path: string, cacheDir: string): Promise<Map<Stage, number>> {
  const places = locate(findCheckout(import.meta.dirname));
  const workerPath = join(places.dist, 'engine-worker.cjs');
  const wasmPath = join(places.engine, 'trace_processor.wasm');
  const startEngine = () => Promise.resolve(startNodeEngine({ workerPath, wasmPath }));
  const host = createHost({ cacheDir, converterPath: places.converter, startEngine });

  const seconds = new Map<Stage, number>();
  let stage: Stage = 'hash';
  let began = performance.now();
  const enter = (next: Stage): void => {
    const now = performance.now();
    seconds.set(stage, (seconds.get(stage) ?? 0) + (now - began) / 1000);
    [stage, began] = [next, now];
  };
  try {
    const trace = await host.open(path, {
      onProgress: (progress) => {
        if (progress.stage !== stage) enter(progress.stage);
      },
    });
    enter('tables');
    const query = makeQuery((sql) => host.query(trace.id, sql));
    const summary = await summariseTrace(query);
    const [first] = views;
    await new TableBuilder(query, () => undefined).need(first?.modules ?? []);
    enter('picture');
    if (summary && first) await first.load(query, readParams(first.params, {}), summary.range);
    enter('picture');
    return seconds;
  } finally {
    await host.end();
  }
}

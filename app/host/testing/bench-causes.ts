/** Measures where delays went: `node scripts/bench.mjs causes TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { median } from 'd3';
import { threadPort } from '../../../shared/border/index.ts';
import type { Delay } from '../../../shared/causes/index.ts';
import { ModelLoader } from '../../models/loader.ts';
import type { Asked } from './bench-causes-worker.ts';
import type { Measured } from './measured.ts';
import { timed, withBenchTrace } from './bench-views.ts';

/** How long the delay is that is divided, as in the story of a click. */
const DELAY_NS = 2_600_000_000;
/** How long the stretch is whose ready queues are run again. */
const REPLAYED_NS = 20_000_000_000;

/** How often a question is asked again: what is told is the median. */
const AGAIN = 5;

/** A question, and what it is asked as. */
type Question = {
  readonly [K in keyof Asked]: readonly [title: string, name: K, asked: Asked[K]];
}[keyof Asked];

/**
 * Opens the trace with columns, and tells what each question takes at first, and again with the columns in memory. They are asked in a worker,
 * as models of views are; `workerPath` is the bundle of `bench-causes-worker.ts`.
 */
export async function bench(
  path: string,
  workerPath = process.env.OUTRANK_BENCH_WORKER ?? '',
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  const worker = new Worker(workerPath);
  const loader = new ModelLoader<readonly Delay[]>(() => threadPort(worker));
  try {
    await withBenchTrace(path, cacheDir, { columns: true }, async ({ range, ask, tables }) => {
      const { start, end } = range;
      // Asked there, since a worker that is started for the first question loads its program first.
      const started = loader.connect(ask, tables);
      const [longest] = (await started.ask('longestWaits', 1, {})) ?? [];
      started.end();
      if (longest === undefined) throw new Error(`${path}: no ready waits`);
      const { utid } = longest;
      const middle = Math.floor((start + end) / 2);
      const short = { utid, ts: middle, te: Math.min(end, middle + DELAY_NS) };
      const replayed = { start, end: Math.min(end, start + REPLAYED_NS) };
      const seconds = (from: number, to: number) => ((to - from) / 1e9).toFixed(1);
      const questions: readonly Question[] = [
        [`a delay of ${seconds(short.ts, short.te)} s`, 'delay', short],
        ['a delay as long as the trace', 'delay', { utid, ts: start, te: end }],
        ['episodes of all kinds', 'episodes', range],
        ['slow wakes against ordinary ones', 'contrast', range],
        [`what if of ${seconds(start, replayed.end)} s`, 'whatIf', { replayed, utid }],
        ['blame of the whole trace', 'blame', range],
        ['the 20 longest waits', 'longestWaits', 20],
      ];
      for (const [measure, name, asked] of questions) {
        const source = loader.connect(ask, tables);
        const first = await timed(() => source.ask(name, asked, {}));
        const again: number[] = [];
        while (again.length < AGAIN) again.push((await timed(() => source.ask(name, asked, {}))).wall_ms);
        source.end();
        const value = `${first.wall_ms.toFixed(0)} ms, again ${(median(again) ?? NaN).toFixed(0)} ms`;
        console.log(`${measure}: ${value}, ${first.processors_ms.toFixed(0)} ms of processors`);
        measured.push({ area: 'Delays and their causes', measure, value });
      }
    });
  } finally {
    await worker.terminate();
    await rm(cacheDir, { recursive: true });
  }
  return measured;
}

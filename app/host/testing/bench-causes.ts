/** Measures where delays went: `node scripts/bench.mjs causes TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { least, median, min } from 'd3';
import { threadPort } from '../../../shared/border/index.ts';
import type { Delay } from '../../../shared/causes/index.ts';
import { ModelLoader } from '../../models/loader.ts';
import type { Asked } from './bench-causes-worker.ts';
import type { Measured } from './measured.ts';
import { timed, withBenchTrace, type BenchTrace, type Times } from './bench-views.ts';

/** How long the delay is that is divided, as in the story of a click. */
const DELAY_NS = 2_600_000_000;
/** How long the stretch is whose ready queues are run again. */
const REPLAYED_NS = 20_000_000_000;

/** In how many workers one after the other all is asked: the least of what is asked first is told, which a busy machine changes least. */
const ROUNDS = 3;
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
  const rounds: Answered[][] = [];
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    await withBenchTrace(path, cacheDir, { columns: true }, async (trace) => {
      while (rounds.length < ROUNDS) rounds.push(await askAll(path, trace, new Worker(workerPath)));
    });
  } finally {
    await rm(cacheDir, { recursive: true });
  }
  return (rounds[0] ?? []).map(({ measure }, at) => {
    const times = rounds.flatMap((round) => round[at] ?? []);
    const first = least(times, ({ first }) => first.wall_ms)?.first;
    const again_ms = min(times, ({ again_ms }) => again_ms) ?? NaN;
    const value = `${first?.wall_ms.toFixed(0)} ms, again ${again_ms.toFixed(0)} ms`;
    console.log(`${measure}: ${value}, ${first?.processors_ms.toFixed(0)} ms of processors`);
    return { area: 'Delays and their causes', measure, value };
  });
}

/** What an answer took: the first one, and the median of those to the same question again. */
interface Answered {
  readonly measure: string;
  readonly first: Times;
  readonly again_ms: number;
}

/** Asks all questions in a worker, which ends then. */
async function askAll(
  path: string,
  { range, ask, tables }: Pick<BenchTrace, 'range' | 'ask' | 'tables'>,
  worker: Worker,
): Promise<Answered[]> {
  const loader = new ModelLoader<readonly Delay[]>(() => threadPort(worker));
  const answered: Answered[] = [];
  try {
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
      answered.push({ measure, first, again_ms: median(again) ?? NaN });
    }
  } finally {
    await worker.terminate();
  }
  return answered;
}

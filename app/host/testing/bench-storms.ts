/** Measures the storms at full scale: `node scripts/bench.mjs storms FOLDER [SCENARIO…]`, in which their traces are kept. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runRules, shippedRules } from '../../../shared/findings/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { findCheckout } from '../locate.ts';
import { formatTimes, loadView, timed, withBenchTrace, type BenchTrace, type Times } from './bench-views.ts';

/** A scenario of `outrank-synth` with its options, and the views that answer for it, each with params one after another. */
interface Storm {
  readonly scenario: string;
  readonly options: readonly string[];
  readonly views: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

const STORMS: readonly Storm[] = [
  {
    scenario: 'exit-storm',
    options: [],
    views: { processes: [{ ended: true }, { process: 'test' }, { at_most_ms: 500 }] },
  },
  {
    scenario: 'thread-growth',
    options: ['--threads', '1000000', '--slope-ns', '1'],
    views: { threads: [{ what: 'threads', pid: 4000 }, { process: 'server' }], processes: [{ ended: true }] },
  },
  {
    scenario: 'switch-storm',
    options: [],
    views: { 'context-switches': [{ by: 'thread' }, { by: 'cpu' }, { by: 'thread', process: 'svchost' }] },
  },
];

const ROUNDS = 3;

/**
 * Makes the traces that are not in `folder`, opens each with nothing cached, and prints seconds and what this process has taken of
 * memory: until it is open, for the models of its views, and for the findings, which it prints too.
 */
export async function bench(folder: string, ...scenarios: readonly string[]): Promise<void> {
  const root = findCheckout(import.meta.dirname);
  const synth = process.env.OUTRANK_SYNTH ?? join(root, 'converter', 'target', 'release', 'outrank-synth');
  for (const storm of STORMS) {
    const { scenario, options } = storm;
    if (scenarios.length > 0 && !scenarios.includes(scenario)) continue;
    const path = join(folder, `${scenario}.etl`);
    if (!existsSync(path)) execFileSync(synth, [scenario, ...options, '-o', path]);
    const cacheDir = await mkdtemp(join(folder, 'cache-'));
    try {
      const opening = timer(`${scenario}: hashed and converted`);
      await withBenchTrace(path, cacheDir, { columns: true }, async (trace) => {
        opening();
        await measure(trace, storm);
      });
    } finally {
      await rm(cacheDir, { recursive: true });
    }
  }
}

async function measure(trace: BenchTrace, storm: Storm): Promise<void> {
  const { query, range } = trace;
  for (const [id, changed] of Object.entries(storm.views)) {
    const view = views.find((each) => each.id === id);
    if (view === undefined) throw new Error(`there is no view ${id}`);
    const params = readParams(view.params, {});
    const { later } = view;
    const first = await step(`${id}, first picture`, () => loadView(trace, view, {}));
    for (const each of changed)
      await leastOf(`${id} ${JSON.stringify(each)}`, () => loadView(trace, view, each));
    if (later === undefined) continue;
    await step(`${id}, what comes later`, () => later.load(query, params, range, first));
  }
  const { findings, failed } = await step('findings', () => runRules(query, shippedRules, range));
  for (const { title, sentence } of findings) console.log(`  ${title}: ${sentence}`);
  for (const { id, message } of failed) console.log(`  ${id} failed: ${message}`);
}

/** Prints the round that took least of processors: in the first, the code is not yet compiled. */
async function leastOf(name: string, work: () => Promise<unknown>): Promise<void> {
  const rounds: Times[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(work));
  const [least] = rounds.sort((a, b) => a.processors_ms - b.processors_ms);
  if (least !== undefined) console.log(`${formatTimes(least)}: ${name}, least of ${ROUNDS} rounds`);
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const done = timer(name);
  const result = await work();
  done();
  return result;
}

/** Starts a clock; the function that it returns prints what has passed since. */
function timer(name: string): () => void {
  const began = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    const times = { wall_ms: performance.now() - began, processors_ms: (user + system) / 1000 };
    const gib = (process.memoryUsage().rss / 2 ** 30).toFixed(2);
    console.log(`${formatTimes(times)}, ${gib} GiB resident: ${name}`);
  };
}

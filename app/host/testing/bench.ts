/** Measures the way from a file to the first picture of each view: `node scripts/bench.mjs open TRACE.etl [CONVERTER]`. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { views, type AnyView } from '../../../views/index.ts';
import type { OpenProgress } from '../api.ts';
import { formatTimes, loadView, timed, withBenchTrace } from './bench-views.ts';

type Stage = OpenProgress['stage'];

/** Views that a user looks at first. */
const FIRST = ['overview', 'ready-latency'];
/** How often an opening is measured. The least of several is what a busy machine changes least. */
const ROUNDS = 5;

/**
 * Opens the trace with an empty cache, and prints the seconds of each stage until it is open; then, for each view in the
 * order of the list, what its first picture's model takes. Last come the seconds from a path to the first picture of
 * {@link FIRST}, with an empty cache each time, and of `converter`, another `outrank-convert`, which runs in turn with these.
 */
export async function bench(path: string, converter?: string): Promise<void> {
  await inEmptyFolder((cacheDir) => printStages(path, cacheDir));
  const seconds = new Map<string, number>();
  const note = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const { wall_ms } = await timed(work);
    seconds.set(name, Math.min(seconds.get(name) ?? Infinity, wall_ms / 1000));
  };
  for (let round = 0; round < ROUNDS; round++) {
    if (converter !== undefined) await note(converter, () => convertBy(converter, path));
    for (const view of views.filter(({ id }) => FIRST.includes(id)))
      await note(`${view.id}, nothing cached: picture`, () => firstPicture(path, view));
  }
  for (const [name, taken] of seconds) console.log(`${name} after ${taken.toFixed(2)} s`);
}

async function printStages(path: string, cacheDir: string): Promise<void> {
  const seconds = new Map<Stage, number>();
  let stage: Stage = 'hash';
  let began = performance.now();
  const enter = (next: Stage): void => {
    const now = performance.now();
    seconds.set(stage, (seconds.get(stage) ?? 0) + (now - began) / 1000);
    [stage, began] = [next, now];
  };
  await withBenchTrace(
    path,
    cacheDir,
    { columns: true, onProgress: (progress) => enter(progress.stage) },
    async (trace) => {
      enter('load');
      console.log([...seconds].map(([name, taken]) => `${name} ${taken.toFixed(2)} s`).join(', '));
      for (const view of views) {
        const picture = await timed(() => loadView(trace, view, {}));
        console.log(`${view.id}: first picture ${formatTimes(picture)}`);
      }
    },
  );
}

const firstPicture = (path: string, view: AnyView): Promise<void> =>
  inEmptyFolder((cacheDir) =>
    withBenchTrace(path, cacheDir, { columns: true }, async (trace) => {
      await loadView(trace, view, {});
    }),
  );

const convertBy = (converter: string, path: string): Promise<void> =>
  inEmptyFolder(async (folder) => {
    await promisify(execFile)(converter, [path, '-o', join(folder, 'out.pftrace')]);
  });

async function inEmptyFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

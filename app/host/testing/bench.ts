/** Measures the way from a file to the first picture of each view: `node scripts/bench.mjs open TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { views } from '../../../views/index.ts';
import type { OpenProgress } from '../api.ts';
import { formatTimes, loadView, timed, withBenchTrace } from './bench-views.ts';

type Stage = OpenProgress['stage'];

/**
 * Opens the trace with an empty cache, and prints the seconds of each stage until it is open; then, for each view in the
 * order of the list, what its first picture's model takes.
 */
export async function bench(path: string): Promise<void> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  const seconds = new Map<Stage, number>();
  let stage: Stage = 'hash';
  let began = performance.now();
  const enter = (next: Stage): void => {
    const now = performance.now();
    seconds.set(stage, (seconds.get(stage) ?? 0) + (now - began) / 1000);
    [stage, began] = [next, now];
  };
  try {
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
  } finally {
    await rm(cacheDir, { recursive: true });
  }
}

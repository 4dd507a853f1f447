/** Measures changed filters of the views on the whole trace: `node scripts/bench.mjs filter TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { views } from '../../../views/index.ts';
import { buildFor, loadView, timed, withBenchTrace } from './bench-views.ts';

/** Filters by view, one after another. */
const FILTERS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'ready-latency': [
    { at_least_ms: 0.1 },
    { cause: 'preempted' },
    { priority: 9 },
    { process: 'svc' },
    { thread: '1000' },
    { ranked_only: true },
    { group_by: 'thread' },
    { group_by: 'priority' },
  ],
  'cpu-usage': [{ by: 'thread' }, { by: 'rank-priority' }, { priority_min: 9 }, { top: 3 }],
  'cpu-sampled': [
    { process: 'svc' },
    { mode: 'kernel' },
    { by: 'thread' },
    { by: 'rank-priority' },
    { frames: 'module' },
    { search: 'a' },
  ],
  'release-moments': [{ bucket_ms: 2 }, { limit: 50 }, { at_least_ms: 10 }],
};

/** Prints, by view, the first picture's time and that of each changed filter. */
export async function bench(path: string): Promise<void> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    await withBenchTrace(path, cacheDir, {}, async (trace) => {
      for (const view of views) {
        const filters = FILTERS[view.id] ?? [];
        if (filters.length === 0) continue;
        await buildFor(trace.query, view);
        for (const params of [{}, ...filters]) {
          console.log(
            `${view.id} ${JSON.stringify(params)}: ${await timed(() => loadView(trace, view, params))}`,
          );
        }
      }
    });
  } finally {
    await rm(cacheDir, { recursive: true });
  }
}

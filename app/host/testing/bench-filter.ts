/** Measures changed filters of the views on the whole trace, and changed ranges: `node scripts/bench.mjs filter TRACE.etl [VIEW…]`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readParams, type TimeRange } from '../../../shared/view/index.ts';
import { views, type AnyView } from '../../../views/index.ts';
import { formatTimes, loadView, timed, withBenchTrace, type BenchTrace, type Times } from './bench-views.ts';

/** Filters by view, one after another. Names are those of `outrank-synth`. */
const FILTERS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'ready-latency': [
    { at_least_ms: 0.1 },
    { cause: 'preempted' },
    { priority: 9 },
    { process: 'worker137' },
    { thread: '25604' },
    { ranked_only: true },
    { rank: 0 },
    { wait_reason: 'UserRequest' },
    { wait_reason: 'Quantum' },
    { why: 'priority' },
    { why: 'not_explained' },
    { limit: 100 },
    { group_by: 'thread' },
    { group_by: 'rank' },
    { group_by: 'priority' },
  ],
  'cpu-usage': [
    { by: 'thread' },
    { by: 'priority' },
    { by: 'rank-priority' },
    { priority_min: 9 },
    { priority_max: 9 },
    { rank: 0 },
    { top: 3 },
  ],
  'rank-history': [{ process: 'worker100' }, { lanes: 10 }, { limit: 100 }, { limit: 1000 }],
  'cpu-sampled': [
    { process: 'svc' },
    { mode: 'kernel' },
    { by: 'thread' },
    { by: 'rank-priority' },
    { frames: 'module' },
    { search: 'a' },
  ],
  'generic-events': [
    { search: '640' },
    { search: '640', process: 'svc' },
    { provider: 'Bench.Store' },
    { process: 'svc' },
    { limit: 100 },
  ],
  overview: [{ limit: 50 }],
  episodes: [{ kind: 'activity' }, { limit: 1000 }],
  blame: [{ by: 'process' }, { by: 'knot' }, { limit: 1000 }],
  'blocked-time': [{ by: 'waker' }, { process: 'worker137' }, { work: 'counted' }, { limit: 1000 }],
  'context-switches': [{ by: 'thread' }, { by: 'cpu' }, { process: 'worker137' }, { top: 3 }],
  runaway: [{ process: 'worker137' }, { top: 3 }],
  'release-moments': [{ bucket_ms: 2 }, { limit: 50 }, { at_least_ms: 10 }, { at_least_ms: 1 }],
};

/** Ranges that come after the filters, as parts of the trace. */
const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0.02, 0.98],
  [0.1, 0.9],
  [0.25, 0.75],
  [0.5, 0.6],
  [0.55, 0.56],
];

/** How often each step is measured. The least of several is what a busy machine changes least. */
const ROUNDS = 5;

/**
 * Prints, by view (all that filters are known of, or those named), the first picture's time and that of each changed filter and range: the
 * least of several rounds. In each round the views know nothing, as if the trace had just been opened; the tables are there.
 */
export async function bench(path: string, ...ids: readonly string[]): Promise<void> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    await withBenchTrace(path, cacheDir, { columns: true }, async (trace) => {
      for (const view of views) {
        const filters = FILTERS[view.id] ?? [];
        if (filters.length === 0 || (ids.length > 0 && !ids.includes(view.id))) continue;
        for (const [step, times] of await measure(trace, view, [{}, ...filters])) {
          console.log(`${view.id} ${step}: ${formatTimes(leastOf(times))}`);
        }
      }
    });
  } finally {
    await rm(cacheDir, { recursive: true });
  }
}

/** The times of each step, by what it changes; what comes later than a picture, and what is made ready after the first, as their own steps. */
async function measure(
  { fresh, range }: BenchTrace,
  view: AnyView,
  steps: readonly Readonly<Record<string, unknown>>[],
): Promise<ReadonlyMap<string, readonly Times[]>> {
  const times = new Map<string, Times[]>();
  const note = (step: string, taken: Times) => times.set(step, [...(times.get(step) ?? []), taken]);
  for (let round = 0; round < ROUNDS; round++) {
    const query = fresh();
    const load = async (step: string, params: Readonly<Record<string, unknown>>, of: TimeRange) => {
      let model: unknown;
      note(step, await timed(async () => (model = await loadView({ query, range: of }, view, params))));
      const { later } = view;
      if (later === undefined) return;
      const values = readParams(view.params, params);
      note(`${step}, later`, await timed(() => later.load(query, values, of, model)));
    };
    for (const [at, params] of steps.entries()) {
      await load(JSON.stringify(params), params, range);
      const ahead = at === 0 ? view.ahead?.(query) : undefined;
      if (ahead !== undefined) note('ahead', await timed(() => toEnd(ahead)));
    }
    const at = (part: number) => Math.round(range.start + part * (range.end - range.start));
    for (const [from, to] of RANGES)
      await load(`from ${from} to ${to} of the trace`, {}, { start: at(from), end: at(to) });
  }
  return times;
}

/** A worker goes on with it between questions: a user looks at the first picture for longer than it takes. */
async function toEnd(pieces: AsyncIterator<void>): Promise<void> {
  while ((await pieces.next()).done !== true);
}

function leastOf(times: readonly Times[]): Times {
  return {
    wall_ms: Math.min(...times.map(({ wall_ms }) => wall_ms)),
    processors_ms: Math.min(...times.map(({ processors_ms }) => processors_ms)),
  };
}

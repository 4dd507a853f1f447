/** Measures where delays went: `node scripts/bench.mjs causes TRACE.etl`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'd3';
import { loadBlame, loadEpisodes, longestWaits, partition, whatIf } from '../../../shared/causes/index.ts';
import { contrastEpisodes } from '../../../shared/contrast/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf } from '../../../shared/tables/index.ts';
import { loadMachine } from '../../../shared/why-late/columns/index.ts';
import type { Measured } from './measured.ts';
import { timed, withBenchTrace } from './bench-views.ts';

/** How long the delay is that is divided, as in the story of a click. */
const DELAY_NS = 2_600_000_000;
/** How long the stretch is whose ready queues are run again. */
const REPLAYED_NS = 20_000_000_000;

/** How often a question is asked again: what is told is the median. */
const AGAIN = 5;

/** Opens the trace with columns, and tells what each question takes at first, and again with the columns in memory. */
export async function bench(path: string): Promise<Measured[]> {
  const measured: Measured[] = [];
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  try {
    await withBenchTrace(path, cacheDir, { columns: true }, async ({ query, fresh, range }) => {
      const { start, end } = range;
      const [longest] = await longestWaits(query, 1);
      if (longest === undefined) throw new Error(`${path}: no ready waits`);
      const { utid } = longest;
      const middle = Math.floor((start + end) / 2);
      const short = { utid, ts: middle, te: Math.min(end, middle + DELAY_NS) };
      const own = new Set([utid]);
      const replayed = { start, end: Math.min(end, start + REPLAYED_NS) };
      const ranked = async (of: Query) => {
        const { cpu_count } = await loadMachine(dataOf(of).tables);
        return whatIf(of, replayed, cpu_count, { kind: 'rank', utids: own, rank: 0 }, own);
      };
      const questions: Readonly<Record<string, (query: Query) => Promise<unknown>>> = {
        [`a delay of ${((short.te - short.ts) / 1e9).toFixed(1)} s`]: (of) => partition(of, short),
        'a delay as long as the trace': (of) => partition(of, { utid, ts: start, te: end }),
        'episodes of all kinds': (of) => loadEpisodes(of, range),
        'slow wakes against ordinary ones': (of) => contrastEpisodes(of, range, 'wake'),
        [`what if of ${((replayed.end - start) / 1e9).toFixed(1)} s`]: ranked,
        'blame of the whole trace': (of) => loadBlame(of, range),
        'the 20 longest waits': (of) => longestWaits(of, 20),
      };
      for (const [question, ask] of Object.entries(questions)) {
        const of = fresh();
        const first = await timed(() => ask(of));
        const again: number[] = [];
        while (again.length < AGAIN) again.push((await timed(() => ask(of))).wall_ms);
        const value = `${first.wall_ms.toFixed(0)} ms, again ${(median(again) ?? NaN).toFixed(0)} ms`;
        console.log(`${question}: ${value}`);
        measured.push({ area: 'Delays and their causes', measure: question, value });
      }
    });
  } finally {
    await rm(cacheDir, { recursive: true });
  }
  return measured;
}

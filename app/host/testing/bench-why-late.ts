/** Measures the model of the scheduler over columns: `node scripts/bench.mjs why-late TRACE.etl`. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArrowFolder } from '../../../shared/tables/arrow-folder.ts';
import { arrowTables, numberAt, textAt, type Tables } from '../../../shared/tables/index.ts';
import {
  beforeWaits,
  estimateWhys,
  judgeRanks,
  laneSpans,
  loadMachine,
  LongestWaits,
  sumRan,
  WAIT_COLUMNS,
  waitAt,
  type BegunWait,
  type Wait,
} from '../../../shared/why-late/columns/index.ts';
import { findCheckout, locate } from '../locate.ts';
import { formatTimes, timed } from './bench-views.ts';

/** As many as the view of ready latency judges. */
const WAITS = 500;

/** Writes columns of the trace, and prints what each question takes at first, and again with the columns in memory. */
export async function bench(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  const { converter } = locate(findCheckout(import.meta.dirname));
  const [outline, columns] = [join(folder, 'outline.pftrace'), join(folder, 'columns')];
  try {
    execFileSync(converter, [path, '-o', outline, '--columns', columns], { stdio: 'inherit' });
    const files = openArrowFolder(columns);
    const fresh = () => arrowTables(files.infos, (...which) => Promise.resolve(files.read(...which)));
    const machine = await loadMachine(fresh());
    const waits = await longestWaits(fresh());
    const [longest] = waits;
    if (longest === undefined) throw new Error(`${path}: no ready waits`);
    const step_ns = Math.ceil((longest.te - longest.ts) / 600);
    const questions: Readonly<Record<string, (tables: Tables) => Promise<unknown>>> = {
      [`estimates for ${waits.length} waits`]: (tables) => estimateWhys(tables, waits),
      'ranks judged': judgeRanks,
      [`what came before ${waits.length} waits`]: (tables) => beforeWaits(tables, waits),
      'what ran in the longest wait': (tables) => sumRan(tables, machine, longest),
      'lanes of the longest wait': (tables) =>
        laneSpans(tables, longest, { start: longest.ts, end: longest.te }, { step_ns }),
    };
    for (const [question, ask] of Object.entries(questions)) {
      const tables = fresh();
      const first = await timed(() => ask(tables));
      const again = await timed(() => ask(tables));
      console.log(`${question}: ${formatTimes(first)}, again ${formatTimes(again)}`);
    }
    files.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function longestWaits(tables: Tables): Promise<(Wait & BegunWait)[]> {
  const names = [...WAIT_COLUMNS, 'cause', 'last_switch_out_ts'] as const;
  const longest = new LongestWaits<Wait & BegunWait>(WAITS, 0);
  for await (const batch of tables.batches('etw_ready_wait', names)) {
    const { cause, last_switch_out_ts } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++)
      longest.add({
        ...waitAt(batch, row),
        is_wake: textAt(cause, row) === 'wake',
        last_switch_out_ts: numberAt(last_switch_out_ts, row),
      });
  }
  return longest.all();
}

import type { Things } from '../../../shared/compare/things.ts';
import { numberAt, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';
import { processName, threadName } from './names.ts';

interface Sum {
  readonly thread: number;
  readonly rank: number | null;
  readonly priority: number | null;
  runs: number;
  cpu_ns: number;
}

/** Sums CPU time by thread class, rank and priority, a batch at a time. */
export async function summariseRuns(tables: Tables, things: Things): Promise<readonly LakeRow<'run'>[]> {
  const sums = new Map<string, Sum>();
  const columns = ['ts', 'te', 'utid', 'rank', 'priority'] as const;
  for await (const batch of tables.batches('etw_run', columns, undefined, 'once')) {
    const { ts, te, utid, rank, priority } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++) {
      const of = utid.values[row] ?? 0;
      if (of === 0) continue;
      const thread = things.threadOf(of);
      const found = { thread, rank: numberAt(rank, row), priority: numberAt(priority, row) };
      const key = `${thread} ${found.rank ?? ''} ${found.priority ?? ''}`;
      const sum = sums.get(key) ?? { ...found, runs: 0, cpu_ns: 0 };
      sums.set(key, sum);
      sum.runs += 1;
      sum.cpu_ns += (te.values[row] ?? 0) - (ts.values[row] ?? 0);
    }
  }
  return [...sums.values()].map(({ thread, ...sum }) => ({
    process: processName(things, thread),
    thread: threadName(things, thread),
    ...sum,
  }));
}

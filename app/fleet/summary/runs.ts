import type { Things } from '../../../shared/compare/things.ts';
import { PairNumbers, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';
import { processName, threadName } from './names.ts';

/** More priorities than Windows has. */
const PRIORITIES = 1 << 8;

/** Sums CPU time by thread class, rank and priority, a batch at a time. */
export async function summariseRuns(tables: Tables, things: Things): Promise<readonly LakeRow<'run'>[]> {
  /** Thread classes, with rank and priority as one number: of each one more, 0 where it is not known. */
  const groups = new PairNumbers();
  const [runs, cpu_ns]: [number[], number[]] = [[], []];
  const columns = ['ts', 'te', 'utid', 'rank', 'priority'] as const;
  for await (const batch of tables.batches('etw_run', columns, undefined, 'once')) {
    const { ts, te, utid, rank, priority } = batch.columns;
    for (let row = 0; row < batch.rowCount; row++) {
      const of = utid.values[row] ?? 0;
      if (of === 0) continue;
      const ofRank = rank.present?.[row] === 0 ? 0 : (rank.values[row] ?? 0) + 1;
      const ofPriority = priority.present?.[row] === 0 ? 0 : (priority.values[row] ?? 0) + 1;
      const group = groups.of(things.threadOf(of), ofRank * PRIORITIES + ofPriority);
      runs[group] = (runs[group] ?? 0) + 1;
      cpu_ns[group] = (cpu_ns[group] ?? 0) + (te.values[row] ?? 0) - (ts.values[row] ?? 0);
    }
  }
  return runs.map((count, group) => {
    const thread = groups.first(group);
    const known = groups.second(group);
    const [rank, priority] = [Math.floor(known / PRIORITIES), known % PRIORITIES];
    return {
      process: processName(things, thread),
      thread: threadName(things, thread),
      rank: rank === 0 ? null : rank - 1,
      priority: priority === 0 ? null : priority - 1,
      runs: count,
      cpu_ns: cpu_ns[group] ?? 0,
    };
  });
}

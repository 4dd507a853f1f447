import { oncePerTrace, type Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import type { Ran } from './sum-threads.ts';

/** What the steps of the whole recording tell, in the order of time; the trace is asked once. */
const loadSteps = oncePerTrace(async (query): Promise<Ran> => {
  const rows: { te: number; utid: number; ran_ns: number }[] = [];
  const names = ['ts', 'dur', 'utid', 'ran_ns'] as const;
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_cpu_time', names)) {
    const { ts, dur, utid, ran_ns } = columns;
    for (let row = 0; row < rowCount; row++) {
      const thread = utid.values[row] ?? 0;
      if (thread === 0) continue;
      const te = (ts.values[row] ?? 0) + (dur.values[row] ?? 0);
      rows.push({ te, utid: thread, ran_ns: ran_ns.values[row] ?? 0 });
    }
  }
  rows.sort((a, b) => a.te - b.te);
  return {
    te: Float64Array.from(rows, ({ te }) => te),
    utid: Int32Array.from(rows, ({ utid }) => utid),
    ran_ns: Float64Array.from(rows, ({ ran_ns }) => ran_ns),
  };
});

/** CPU time of threads in the steps that begin before `end_ns`. */
export async function loadRan(query: Query, end_ns: number, step_ns: number): Promise<Ran> {
  const { te, utid, ran_ns } = await loadSteps(query);
  let count = te.length;
  while (count > 0 && (te[count - 1] ?? 0) - step_ns >= end_ns) count--;
  return { te: te.subarray(0, count), utid: utid.subarray(0, count), ran_ns: ran_ns.subarray(0, count) };
}

import { unpackCpuSumKeys } from '../../shared/cpu-sum/index.ts';
import { oncePerTrace, realsOf, type Query } from '../../shared/engine/index.ts';
import ranSql from './ran.sql';
import type { Ran } from './sum-threads.ts';

/** CPU time by the number of the step and the thread, rising in the step. */
interface RanInSteps {
  readonly step: Int32Array;
  readonly utid: Int32Array;
  readonly ran_ns: Float64Array;
}

/** What the steps of the whole recording tell; the engine is asked once a trace. */
const loadSteps = oncePerTrace(async (query): Promise<RanInSteps> => {
  const rows = await query(ranSql);
  const { step, utid } = unpackCpuSumKeys(realsOf(rows, 'key'));
  return { step, utid, ran_ns: realsOf(rows, 'ran_ns') };
});

/** CPU time of threads in the steps that begin before `end_ns`; steps are counted from `origin_ns`. */
export async function loadRan(
  query: Query,
  end_ns: number,
  { origin_ns, step_ns }: { readonly origin_ns: number; readonly step_ns: number },
): Promise<Ran> {
  const { step, utid, ran_ns } = await loadSteps(query);
  const steps = Math.max(0, Math.ceil((end_ns - origin_ns) / step_ns));
  const te = new Float64Array(step.length);
  let count = 0;
  for (; count < step.length; count++) {
    const number = step[count] ?? 0;
    if (number >= steps) break;
    te[count] = origin_ns + (number + 1) * step_ns;
  }
  return { te: te.subarray(0, count), utid: utid.subarray(0, count), ran_ns: ran_ns.subarray(0, count) };
}

import { loadBlame } from '../../causes/index.ts';
import { dataOf, numberAt } from '../../tables/index.ts';
import type { Measure } from './index.ts';

/** The threads that others waited for most. */
export const blamed: Measure = {
  columns: ['utid', 'ts', 'te', 'active_ns', 'blocked_ns', 'ran_ns', 'wakes'],
  async rows({ query, whole }) {
    const blames = await loadBlame(query, whole);
    const spans = new Map<number, { ts: number; te: number; wakes: number }>();
    const columns = ['ts', 'waker_utid'] as const;
    for await (const batch of dataOf(query).tables.batches('etw_ready_wait', columns)) {
      for (let row = 0; row < batch.rowCount; row++) {
        const at = batch.columns.ts.values[row] ?? 0;
        const waker = numberAt(batch.columns.waker_utid, row) ?? 0;
        if (waker === 0) continue;
        const span = spans.get(waker) ?? { ts: at, te: at, wakes: 0 };
        spans.set(waker, span);
        span.ts = Math.min(span.ts, at);
        span.te = Math.max(span.te, at);
        span.wakes++;
      }
    }
    return blames
      .filter(({ active_ns }) => active_ns > 0)
      .sort((a, b) => b.active_ns - a.active_ns)
      .map(({ utid, active_ns, blocked_ns, ran_ns }) => {
        const { ts: first, te, wakes } = spans.get(utid) ?? { ts: whole.start, te: whole.end, wakes: 0 };
        return [utid, first, te, active_ns, blocked_ns, ran_ns, wakes];
      });
  },
};

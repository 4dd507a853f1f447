import { loadBlame } from '../../causes/index.ts';
import type { Measure } from './index.ts';

/** The threads that others waited for most. */
export const blamed: Measure = {
  columns: ['utid', 'ts', 'te', 'active_ns', 'blocked_ns', 'ran_ns', 'wakes'],
  async rows(recording) {
    const { query, whole } = recording;
    const { waits } = await recording.read();
    const blames = await loadBlame(query, whole);
    const spans = new Map<number, { ts: number; te: number; wakes: number }>();
    const [ts, wakers] = [waits.column('ts'), waits.column('waker_utid')];
    for (let row = 0; row < waits.count; row++) {
      const at = ts[row] ?? 0;
      const waker = wakers[row] ?? NaN;
      if (!(waker > 0)) continue;
      const span = spans.get(waker);
      if (span === undefined) spans.set(waker, { ts: at, te: at, wakes: 1 });
      else {
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

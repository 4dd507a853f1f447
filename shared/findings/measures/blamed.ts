import { loadBlame } from '../../causes/index.ts';
import { dataOf, KeySet, numberAt, type Tables } from '../../tables/index.ts';
import type { Measure } from './index.ts';

/** The threads that others waited for most. */
export const blamed: Measure = {
  columns: ['utid', 'ts', 'te', 'active_ns', 'blocked_ns', 'ran_ns', 'wakes'],
  async rows({ query, whole }, _, most) {
    const blames = (await loadBlame(query, whole))
      .filter(({ active_ns }) => active_ns > 0)
      .sort((a, b) => b.active_ns - a.active_ns)
      .slice(0, most);
    const spans = await spansOf(
      dataOf(query).tables,
      blames.map(({ utid }) => utid),
    );
    return blames.map(({ utid, active_ns, blocked_ns, ran_ns }) => {
      const { ts, te, wakes } = spans[utid] ?? { ts: whole.start, te: whole.end, wakes: 0 };
      return [utid, ts, te, active_ns, blocked_ns, ran_ns, wakes];
    });
  },
};

/** When a thread first and last readied others, and how often. */
interface Span {
  ts: number;
  te: number;
  wakes: number;
}

/** Those of some threads, by key: a list, since millions of waits ask. */
async function spansOf(tables: Tables, utids: readonly number[]): Promise<readonly (Span | undefined)[]> {
  const asked = new KeySet(utids);
  const spans: (Span | undefined)[] = [];
  for await (const { rowCount, columns } of tables.batches('etw_ready_wait', ['ts', 'waker_utid'])) {
    for (let row = 0; row < rowCount; row++) {
      const at = columns.ts.values[row] ?? 0;
      const waker = numberAt(columns.waker_utid, row) ?? 0;
      if (!asked.has(waker) || waker === 0) continue;
      const span = (spans[waker] ??= { ts: at, te: at, wakes: 0 });
      if (at < span.ts) span.ts = at;
      if (at > span.te) span.te = at;
      span.wakes++;
    }
  }
  return spans;
}

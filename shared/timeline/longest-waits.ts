import { numberAt, type Batch } from '../tables/index.ts';
import type { Wait } from '../why-late/columns/index.ts';

/** So many of the longest ready waits are kept. */
const MOST = 2000;

type Columns = 'ts' | 'te' | 'utid' | 'rank' | 'priority' | 'cpu' | 'flags' | 'last_ready_ts';

/** The longest of the ready waits that it is shown. */
export class LongestWaits {
  #found: Wait[] = [];
  #least_ns = 1;

  add({ columns }: Batch<Columns>, row: number): void {
    const [ts, te] = [columns.ts.values[row] ?? 0, columns.te.values[row] ?? 0];
    if (te - ts < this.#least_ns) return;
    this.#found.push({
      ts,
      te,
      utid: columns.utid.values[row] ?? 0,
      rank: numberAt(columns.rank, row),
      priority: numberAt(columns.priority, row),
      cpu: numberAt(columns.cpu, row),
      flags: numberAt(columns.flags, row),
      last_ready_ts: numberAt(columns.last_ready_ts, row),
    });
    if (this.#found.length < 2 * MOST) return;
    this.#found = this.all();
    const least = this.#found.at(-1);
    if (least !== undefined) this.#least_ns = least.te - least.ts;
  }

  /** Longest first. */
  all(): Wait[] {
    return this.#found.sort((a, b) => b.te - b.ts - (a.te - a.ts) || a.ts - b.ts).slice(0, MOST);
  }
}

import type { Wait } from './wait.ts';

/** In place of a number that is not there. */
const NONE = -1;

/** Many waits side by side, each column in as few bytes as it needs. */
export class WaitColumns {
  /** How many waits there are. */
  count = 0;
  readonly ts: Float64Array;
  readonly te: Float64Array;
  readonly utid: Uint32Array;
  /** -1 for none, as in those below. */
  readonly rank: Int32Array;
  readonly priority: Int32Array;
  readonly cpu: Int32Array;
  readonly last_ready_ts: Float64Array;
  /** 0 for none. */
  readonly flags: Int32Array;

  /** Columns for so many waits. */
  constructor(most: number) {
    this.ts = new Float64Array(most);
    this.te = new Float64Array(most);
    this.utid = new Uint32Array(most);
    this.rank = new Int32Array(most);
    this.priority = new Int32Array(most);
    this.cpu = new Int32Array(most);
    this.flags = new Int32Array(most);
    this.last_ready_ts = new Float64Array(most);
  }

  static of(waits: readonly Wait[]): WaitColumns {
    const columns = new WaitColumns(waits.length);
    for (const wait of waits) columns.add(wait);
    return columns;
  }

  /** Adds a wait: of no more than there is place for. */
  add(wait: Wait): void {
    const at = this.count++;
    this.ts[at] = wait.ts;
    this.te[at] = wait.te;
    this.utid[at] = wait.utid;
    this.rank[at] = wait.rank ?? NONE;
    this.priority[at] = wait.priority ?? NONE;
    this.cpu[at] = wait.cpu ?? NONE;
    this.flags[at] = wait.flags ?? 0;
    this.last_ready_ts[at] = wait.last_ready_ts ?? NONE;
  }

  /** A wait by its number. */
  at(number: number): Wait {
    const known = (column: ArrayLike<number>) => {
      const value = column[number] ?? NONE;
      return value === NONE ? null : value;
    };
    return {
      ts: this.ts[number] ?? 0,
      te: this.te[number] ?? 0,
      utid: this.utid[number] ?? 0,
      rank: known(this.rank),
      priority: known(this.priority),
      cpu: known(this.cpu),
      flags: this.flags[number] ?? 0,
      last_ready_ts: known(this.last_ready_ts),
    };
  }
}

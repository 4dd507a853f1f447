import { grown } from '../tables/index.ts';

/** Sums of blocks by the numbers of groups, in columns of equal length. */
export interface GroupColumns {
  /** The number of the group. */
  readonly group: Int32Array;
  readonly ns: Float64Array;
  readonly count: Uint32Array;
  /** The longest block: of those that are alike the first one. */
  readonly longest_ts: Float64Array;
  readonly longest_ns: Float64Array;
  /** The thread of the longest block; {@link SEVERAL} where there are others as long. */
  readonly longest_utid: Int32Array;
  /** The order of the first block. */
  readonly order: Float64Array;
}

/** Stands for a thread where that of several blocks is meant. */
export const SEVERAL = -1;

/** Sums blocks by the numbers of groups. There can be a million: objects that change would take most of the time. */
export class GroupSums {
  /** How many groups there are. */
  count = 0;
  #columns = columnsFor(1 << 8);
  /** By the number of a group: its row, and one more; 0 for none. */
  #rows = new Int32Array(1 << 8);

  /** Adds a block: how much of it counts, its order, and the block as a whole. */
  add(group: number, ns: number, order: number, ts: number, dur_ns: number, utid: number): void {
    this.#sum(group, ns, 1, order, ts, dur_ns, utid);
  }

  /** Adds other sums. */
  addSums({ group, ns, count, longest_ts, longest_ns, longest_utid, order }: GroupColumns): void {
    for (let row = 0; row < group.length; row++)
      this.#sum(
        group[row] ?? 0,
        ns[row] ?? 0,
        count[row] ?? 0,
        order[row] ?? 0,
        longest_ts[row] ?? 0,
        longest_ns[row] ?? 0,
        longest_utid[row] ?? 0,
      );
  }

  /** Gives the sums, and begins anew. */
  take(): GroupColumns {
    const { group, ns, count, longest_ts, longest_ns, longest_utid, order } = this.#columns;
    const rows = this.count;
    for (let row = 0; row < rows; row++) this.#rows[group[row] ?? 0] = 0;
    this.count = 0;
    return {
      group: group.slice(0, rows),
      ns: ns.slice(0, rows),
      count: count.slice(0, rows),
      longest_ts: longest_ts.slice(0, rows),
      longest_ns: longest_ns.slice(0, rows),
      longest_utid: longest_utid.slice(0, rows),
      order: order.slice(0, rows),
    };
  }

  #sum(
    group: number,
    ns: number,
    count: number,
    order: number,
    longest_ts: number,
    longest_ns: number,
    longest_utid: number,
  ): void {
    const row = this.#rowOf(group);
    const into = this.#columns;
    into.ns[row] = (into.ns[row] ?? 0) + ns;
    into.count[row] = (into.count[row] ?? 0) + count;
    into.order[row] = Math.min(into.order[row] ?? 0, order);
    const most_ns = into.longest_ns[row] ?? 0;
    if (longest_ns < most_ns) return;
    const isAlike = longest_ns === most_ns;
    into.longest_utid[row] = isAlike ? SEVERAL : longest_utid;
    if (isAlike && longest_ts >= (into.longest_ts[row] ?? 0)) return;
    into.longest_ns[row] = longest_ns;
    into.longest_ts[row] = longest_ts;
  }

  #rowOf(group: number): number {
    if (group >= this.#rows.length) this.#rows = grown(this.#rows, new Int32Array(2 * group));
    const known = this.#rows[group] ?? 0;
    if (known > 0) return known - 1;
    const row = this.count++;
    this.#rows[group] = this.count;
    if (row === this.#columns.group.length) this.#columns = grownColumns(this.#columns, 2 * row);
    const into = this.#columns;
    into.group[row] = group;
    into.ns[row] = 0;
    into.count[row] = 0;
    into.order[row] = Infinity;
    into.longest_ts[row] = 0;
    into.longest_ns[row] = -1;
    return row;
  }
}

function columnsFor(rows: number): GroupColumns {
  return {
    group: new Int32Array(rows),
    ns: new Float64Array(rows),
    count: new Uint32Array(rows),
    longest_ts: new Float64Array(rows),
    longest_ns: new Float64Array(rows),
    longest_utid: new Int32Array(rows),
    order: new Float64Array(rows),
  };
}

function grownColumns(from: GroupColumns, rows: number): GroupColumns {
  const into = columnsFor(rows);
  grown(from.group, into.group);
  grown(from.ns, into.ns);
  grown(from.count, into.count);
  grown(from.longest_ts, into.longest_ts);
  grown(from.longest_ns, into.longest_ns);
  grown(from.longest_utid, into.longest_utid);
  grown(from.order, into.order);
  return into;
}

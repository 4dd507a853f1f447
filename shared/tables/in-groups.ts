/** Rows, group after group. */
export interface Grouped {
  /** The rows of the first group in their order, then those of the next. */
  readonly rows: Uint32Array;
  /** By group: where its rows end, and those of the next group begin. */
  readonly ends: Uint32Array;
}

/** Puts rows in the order of their groups, whole numbers below `groupCount`. All in one array: lists that grow take several times as long. */
export function inGroups(groups: Uint32Array, groupCount: number): Grouped {
  const next = new Uint32Array(groupCount);
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] ?? 0;
    next[group] = (next[group] ?? 0) + 1;
  }
  startsFromSizes(next);
  const rows = new Uint32Array(groups.length);
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] ?? 0;
    const place = next[group] ?? 0;
    rows[place] = row;
    next[group] = place + 1;
  }
  return { rows, ends: next };
}

/** Replaces the size of each group by the place of its first row, where groups lie one after another from `start` on. Gives where the last ends. */
export function startsFromSizes(groups: Uint32Array, start = 0): number {
  let end = start;
  for (let group = 0; group < groups.length; group++) {
    const size = groups[group] ?? 0;
    groups[group] = end;
    end += size;
  }
  return end;
}

import { filled } from '../tables/index.ts';
import { SEVERAL } from './group-sums.ts';
import type { BlockedGroups } from './sum-blocked.ts';

/** What each row of some groups has in common with others. */
export interface GroupKeys<K> {
  /** By row: an index into the keys. */
  readonly ids: Int32Array;
  /** In the order in which they come first. */
  readonly keys: readonly K[];
}

/** The keys of rows by their values in a column: `keyOf` is asked once for each value. Values are whole numbers that lie close together. */
export function keysOf<K>(values: Int32Array | Uint8Array, keyOf: (value: number) => K): GroupKeys<K> {
  let [least, most] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? 0;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  /** By value: the number of its key, and one more; 0 where it is not looked up yet. */
  const known = new Int32Array(most - least + 1);
  const keys: K[] = [];
  const numbers = new Map<K, number>();
  const numberOf = (value: number): number => {
    const key = keyOf(value);
    const before = numbers.get(key);
    if (before !== undefined) return before;
    numbers.set(key, keys.length);
    return keys.push(key) - 1;
  };
  const ids = new Int32Array(values.length);
  for (let row = 0; row < ids.length; row++) {
    const value = values[row] ?? 0;
    if (known[value - least] === 0) known[value - least] = numberOf(value) + 1;
    ids[row] = (known[value - least] ?? 0) - 1;
  }
  return { ids, keys };
}

/** Blocks that have something in common. */
export interface BlockedSum<K> {
  readonly key: K;
  /** The thread of the longest block. */
  readonly utid: number;
  readonly ns: number;
  readonly count: number;
  /** The longest block, as a whole. */
  readonly longest_ts: number;
  readonly longest_ns: number;
}

/** The sums of groups by a key. */
export interface KeyedSums<K> {
  /** Most time first. */
  readonly rows: readonly BlockedSum<K>[];
  /** How many there are in all. */
  readonly all: number;
  /** False where some are alike, and the groups do not tell which of them comes first or which block is given as the longest. */
  readonly isCertain: boolean;
}

/** The sums of groups by a key, at most so many: of those that are alike the first ones. */
export function sumGroups<K>(groups: BlockedGroups, { ids, keys }: GroupKeys<K>, most: number): KeyedSums<K> {
  const { isInOrder, longest_ns: lengths, longest_utid: utids } = groups;
  const [all_ns, all_count] = [groups.ns, groups.count];
  const ns = new Float64Array(keys.length);
  const counts = new Uint32Array(keys.length);
  /** By key: the row of the longest block, −1 for none; and whether others are as long. */
  const longest = new Int32Array(keys.length).fill(-1);
  const isOpen = new Uint8Array(keys.length);
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] ?? 0;
    ns[id] = (ns[id] ?? 0) + (all_ns[row] ?? 0);
    counts[id] = (counts[id] ?? 0) + (all_count[row] ?? 0);
    const before = longest[id] ?? -1;
    const most_ns = before < 0 ? -1 : (lengths[before] ?? 0);
    const length_ns = lengths[row] ?? 0;
    if (length_ns > most_ns) {
      longest[id] = row;
      isOpen[id] = utids[row] === SEVERAL ? 1 : 0;
    } else if (length_ns === most_ns && !isInOrder) isOpen[id] = 1;
  }
  const order = filled(new Int32Array(keys.length), (id) => id).sort(
    (a, b) => (ns[b] ?? 0) - (ns[a] ?? 0) || a - b,
  );
  const rows: BlockedSum<K>[] = [];
  let isCertain = true;
  for (let at = 0; at < Math.min(most, order.length); at++) {
    const id = order[at] ?? 0;
    const row = longest[id] ?? 0;
    const isLikeNext = at + 1 < order.length && ns[id] === ns[order[at + 1] ?? 0];
    if (isOpen[id] === 1 || (isLikeNext && !isInOrder)) isCertain = false;
    rows.push({
      key: keys[id] as K,
      ...{ utid: utids[row] ?? 0, ns: ns[id] ?? 0, count: counts[id] ?? 0 },
      ...{ longest_ts: groups.longest_ts[row] ?? 0, longest_ns: lengths[row] ?? 0 },
    });
  }
  return { rows, all: order.length, isCertain };
}

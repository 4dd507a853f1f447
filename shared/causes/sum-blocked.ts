import { keepLast, type Query } from '../engine/index.ts';
import { dataOf, filled, type Stretch } from '../tables/index.ts';
import { BlockGroups, type BlockStacks } from './block-groups.ts';
import type { GroupColumns } from './group-sums.ts';
import { StretchSums, wakerOfNumber, type NumberedSums } from './stretch-sums.ts';

/** Which blocks are summed. */
export interface BlockedFilter {
  readonly range: Stretch;
  /** The threads that were blocked; null for all. */
  readonly utids: ReadonlySet<number> | null;
  /** Whether waits for work count (`WrQueue`, `WrLpcReceive`). A thread is only idle in these. */
  readonly withWork: boolean;
}

/**
 * Blocks by thread, wait reason, waker and stack, as far as they lie in the range: columns of equal length. There can be a million rows,
 * and as many objects would take most of the time.
 */
export interface BlockedGroups {
  readonly utid: Int32Array;
  /** An index into `reasons`. */
  readonly reason: Uint8Array;
  /** As in {@link Block}; `ANY_WAKER` where the wakers are not told apart. */
  readonly waker: Int32Array;
  /** The innermost call of the stack; −1 for none. */
  readonly callsite: Int32Array;
  readonly ns: Float64Array;
  readonly count: Uint32Array;
  /** The longest block, as a whole. */
  readonly longest_ts: Float64Array;
  readonly longest_ns: Float64Array;
  /** Its thread; `SEVERAL` where it is not known which of several blocks would be given if the wakers were told apart. */
  readonly longest_utid: Int32Array;
  readonly reasons: readonly (string | null)[];
  /** Whether threads with a reason are in the order of their first blocks, and the groups of each, too. Else the order says nothing. */
  readonly isInOrder: boolean;
}

/** The sums of blocks. */
export interface BlockedSums {
  readonly groups: BlockedGroups;
  /** Time of waits for work that was left out. */
  readonly work_ns: number;
}

/** The sums of all blocks where waits for work are not parted by thread and waker at once: of that there can be millions. */
export interface BlockedSides {
  /** By thread and wait reason; waits for others by waker, too. */
  readonly byThread: BlockedGroups;
  /** By waker; waits for others by thread and wait reason, too. A row of waits for work has the thread of its longest block. */
  readonly byWaker: BlockedGroups;
}

/** Sums blocks by thread, wait reason, waker and, where they are given, stacks. Time in which the machine slept does not count. */
export async function loadBlockedSums(
  query: Query,
  filter: BlockedFilter,
  stacks: BlockStacks | null,
): Promise<BlockedSums> {
  return blockedSums(await numberedSums(query, filter.range, stacks, filter.withWork), filter);
}

/** Sums all blocks of a range by what the sums without waits for work keep; null where the machine slept, and they do not tell all. */
export async function loadBlockedSides(query: Query, range: Stretch): Promise<BlockedSides | null> {
  const sums = await numberedSums(query, range, null, false);
  if (sums.hasSlept) return null;
  const { groups: byThread } = blockedSums(sums, { range, utids: null, withWork: true });
  const { groups: others } = blockedSums(sums, { range, utids: null, withWork: false });
  return { byThread, byWaker: withWakers(others, sums.wakers) };
}

/** `partsWork`: whether waits for work are parted by wakers and stacks, too. */
async function numberedSums(
  query: Query,
  range: Stretch,
  stacks: BlockStacks | null,
  partsWork: boolean,
): Promise<NumberedSums> {
  const at = stacks?.at ?? 'no stack';
  const stretches = await (partsWork ? keepParted : keepUnparted)(query, at, () =>
    StretchSums.of(dataOf(query).tables, () => new BlockGroups(stacks, partsWork)),
  );
  const key = `${partsWork} ${at} ${range.start} ${range.end}`;
  return keepSums(query, key, () => stretches.sumsIn(range));
}

const keepParted = keepLast<StretchSums>();
const keepUnparted = keepLast<StretchSums>();
/** Of so many groups the sums are kept: some 70 bytes each. */
const KEPT_GROUPS = 1 << 21;
/** Of the last range: another filter needs no new sums. */
const keepSums = keepLast<NumberedSums>(({ sums }) => sums.group.length <= KEPT_GROUPS);

/** The groups that a filter lets through. Each thread and reason stands where it was first. Its groups are in the order of their first blocks. */
function blockedSums(numbered: NumberedSums, filter: BlockedFilter): BlockedSums {
  const { sums, groups } = numbered;
  const { rows, work_ns } = rowsOf(numbered, filter);
  const into = newGroups(rows.length, groups.reasons, true);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    const group = sums.group[row] ?? 0;
    const utid = groups.utidOf(group);
    const reason = groups.reasonOf(group);
    into.utid[at] = utid;
    into.reason[at] = reason;
    into.waker[at] = groups.wakerOf(group);
    into.callsite[at] = groups.callsiteOf(group);
    into.ns[at] = sums.ns[row] ?? 0;
    into.count[at] = sums.count[row] ?? 0;
    into.longest_ts[at] = sums.longest_ts[row] ?? 0;
    into.longest_ns[at] = sums.longest_ns[row] ?? 0;
    into.longest_utid[at] = groups.parts(reason) ? utid : (sums.longest_utid[row] ?? 0);
  }
  return { groups: into, work_ns };
}

/** The rows that a filter lets through, in the order of {@link blockedSums}, and the time of waits for work that it does not. */
function rowsOf(
  { sums, groups }: NumberedSums,
  { utids, withWork }: BlockedFilter,
): { readonly rows: Int32Array; readonly work_ns: number } {
  const all = inOrder(sums.order);
  /** By thread and reason: which of them it is in the order of the first ones, from 1 on. */
  const places = new Int32Array(groups.ownCount);
  /** By these: how many rows they have; then where their next row goes. */
  const next = new Int32Array(groups.ownCount + 1);
  const placeOf = new Int32Array(all.length);
  let [last, work_ns] = [0, 0];
  for (let at = 0; at < all.length; at++) {
    const row = all[at] ?? 0;
    const group = sums.group[row] ?? 0;
    const ns = sums.ns[row] ?? 0;
    if (utids !== null && !utids.has(groups.utidOf(group))) continue;
    if (!withWork && groups.isForWork(group)) {
      work_ns += ns;
      continue;
    }
    const own = groups.ownOf(group);
    if (places[own] === 0) places[own] = ++last;
    if (ns <= 0) continue;
    const place = places[own] ?? 0;
    placeOf[at] = place;
    next[place] = (next[place] ?? 0) + 1;
  }
  let count = 0;
  for (let place = 1; place <= last; place++) {
    const rows = next[place] ?? 0;
    next[place] = count;
    count += rows;
  }
  const rows = new Int32Array(count);
  for (let at = 0; at < all.length; at++) {
    const place = placeOf[at] ?? 0;
    if (place === 0) continue;
    const into = next[place] ?? 0;
    rows[into] = all[at] ?? 0;
    next[place] = into + 1;
  }
  return { rows, work_ns };
}

/** Groups, and after them sums by waker alone, in the order of their first blocks. */
function withWakers(groups: BlockedGroups, wakers: GroupColumns): BlockedGroups {
  const rows = inOrder(wakers.order);
  const first = groups.utid.length;
  const into = newGroups(first + rows.length, groups.reasons, false);
  into.utid.set(groups.utid);
  into.reason.set(groups.reason);
  into.waker.set(groups.waker);
  into.callsite.set(groups.callsite);
  into.ns.set(groups.ns);
  into.count.set(groups.count);
  into.longest_ts.set(groups.longest_ts);
  into.longest_ns.set(groups.longest_ns);
  into.longest_utid.set(groups.longest_utid);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    into.utid[first + at] = wakers.longest_utid[row] ?? 0;
    into.waker[first + at] = wakerOfNumber(wakers.group[row] ?? 0);
    into.callsite[first + at] = -1;
    into.ns[first + at] = wakers.ns[row] ?? 0;
    into.count[first + at] = wakers.count[row] ?? 0;
    into.longest_ts[first + at] = wakers.longest_ts[row] ?? 0;
    into.longest_ns[first + at] = wakers.longest_ns[row] ?? 0;
    into.longest_utid[first + at] = wakers.longest_utid[row] ?? 0;
  }
  return into;
}

function newGroups(rows: number, reasons: readonly (string | null)[], isInOrder: boolean): BlockedGroups {
  return {
    utid: new Int32Array(rows),
    reason: new Uint8Array(rows),
    waker: new Int32Array(rows),
    callsite: new Int32Array(rows),
    ns: new Float64Array(rows),
    count: new Uint32Array(rows),
    longest_ts: new Float64Array(rows),
    longest_ns: new Float64Array(rows),
    longest_utid: new Int32Array(rows),
    reasons,
    isInOrder,
  };
}

/** The rows in the order of these numbers, each of which is there once. */
function inOrder(order: Float64Array): Float64Array {
  const rising = filled(new Float64Array(order.length), (row) => row);
  if (order.every((of, row) => row === 0 || of > (order[row - 1] ?? 0))) return rising;
  // A sort without a function takes a tenth of the time: so each number carries its row.
  const rows = order.length;
  const both = filled(new Float64Array(rows), (row) => (order[row] ?? 0) * rows + row).sort();
  return filled(both, (at) => (both[at] ?? 0) % rows);
}

import {
  keysOf,
  sumGroups,
  type BlockedGroups,
  type BlockedSides,
  type BlockedSum,
  type KeyedSums,
} from '../../shared/causes/index.ts';
import type { ThreadName } from '../../shared/threads/index.ts';
import { LEAST_SHARE, type FlameNode } from '../kit/index.ts';
import { blockedFlame, sidesBy, type Side, type Sides } from './frames.ts';
import type { BlockedTimeParams } from './params.ts';

/** Blocked time with something in common, and the thread of its longest block: that one as a whole, whatever the range. */
export type BlockedRow = BlockedSum<string> & { readonly thread: ThreadName | undefined };

/** The rows of one side, most time first. */
export interface BlockedList {
  readonly title: string;
  readonly rows: readonly BlockedRow[];
  /** How many there are in all. */
  readonly all: number;
}

/** What is drawn of sums. */
export interface DrawnSums {
  readonly ns: number;
  readonly count: number;
  readonly root: FlameNode;
  readonly lists: readonly BlockedList[];
}

/** How sums are drawn. */
export interface Drawing {
  readonly by: BlockedTimeParams['by'];
  readonly sides: Sides;
  readonly names: ReadonlyMap<number, ThreadName>;
  readonly limit: number;
  /** What the list of stacks is called; null where there are none. */
  readonly stackTitle: string | null;
}

const TITLES = {
  reason: 'Blocked time by wait reason',
  waker: 'Blocked time by waker',
  thread: 'Blocked time by thread',
};

/** Draws groups that are told apart by all their sides. */
export function drawGroups(groups: BlockedGroups, drawing: Drawing): DrawnSums {
  const { by, sides, stackTitle } = drawing;
  const list = (title: string, side: Side) => listOf(title, sumBy(groups, side, drawing), drawing);
  return {
    ...totalOf(groups),
    root: blockedFlame(groups, sidesBy(by, sides), false),
    lists: [
      list(TITLES.reason, sides.reason),
      list(TITLES.waker, sides.waker),
      list(TITLES.thread, sides.thread),
      ...(stackTitle === null ? [] : [list(stackTitle, sides.stack)]),
    ],
  };
}

/**
 * Draws sums in which waits for work are not parted by thread and waker at once; null where that does not tell all. Where each thread is
 * too narrow to be drawn, so are its wakers, and the threads that a waker woke.
 */
export function drawSides({ byThread, byWaker }: BlockedSides, drawing: Drawing): DrawnSums | null {
  const { by, sides } = drawing;
  const total = totalOf(byThread);
  const threads = sumBy(byThread, sides.thread, drawing);
  if ((threads.rows[0]?.ns ?? 0) >= total.ns * LEAST_SHARE) return null;
  const reasons = sumBy(byThread, sides.reason, drawing);
  const wakers = sumBy(byWaker, sides.waker, drawing);
  if (![threads, reasons, wakers].every(({ isCertain }) => isCertain)) return null;
  const root =
    by === 'waker'
      ? blockedFlame(byWaker, [sides.wakerProcess, sides.waker], true)
      : blockedFlame(byThread, [sides.reason, sides.process], true);
  if (by === 'waker' && hasAlike(root)) return null;
  return {
    ...total,
    root,
    lists: [
      listOf(TITLES.reason, reasons, drawing),
      listOf(TITLES.waker, wakers, drawing),
      listOf(TITLES.thread, threads, drawing),
    ],
  };
}

function totalOf({ ns, count }: BlockedGroups): Pick<DrawnSums, 'ns' | 'count'> {
  return { ns: ns.reduce((sum, of) => sum + of, 0), count: count.reduce((sum, of) => sum + of, 0) };
}

/** The sums by what a side is called: of stacks the innermost call comes first. */
function sumBy(groups: BlockedGroups, { column, framesOf }: Side, { limit }: Drawing): KeyedSums<string> {
  const words = (value: number) => framesOf(value).map(({ label }) => label);
  return sumGroups(
    groups,
    keysOf(groups[column], (value) => words(value).reverse().join(' ← ')),
    limit,
  );
}

function listOf(title: string, { rows, all }: KeyedSums<string>, { names }: Drawing): BlockedList {
  return { title, rows: rows.map((row) => ({ ...row, thread: names.get(row.utid) })), all };
}

/** Whether frames beside each other are as wide as each other. */
function hasAlike({ children }: FlameNode): boolean {
  return children.some((child, at) => child.samples === children[at + 1]?.samples || hasAlike(child));
}

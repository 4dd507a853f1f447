import { grown, PairNumbers } from '../tables/index.ts';
import type { Block } from './each-block.ts';
import { FOR_WORK } from './for-work.ts';

/** The stack of each block: that of an event at one of its times, as its innermost call; −1 for none. */
export interface BlockStacks {
  readonly at: 'in_ts' | 'te';
  readonly stackAt: (ts: number) => number;
}

const NO_STACK = -1;
/** The waker of a group of waits for work that are not parted by wakers: no thread that wakes others has this number. */
export const ANY_WAKER = 0;
/** There are fewer reasons. */
const NO_REASON = 255;
/** For what threads wait. */
const [FOR_OTHERS, TO_GET_WORK] = [1, 2];

/** Numbers the groups of blocks: those of one thread with one wait reason, one waker and one stack. */
export class BlockGroups {
  /** Why threads had blocked, by number. */
  readonly reasons: (string | null)[] = [null];
  readonly #partsWork: boolean;
  readonly #stacks: BlockStacks | null;
  /** Numbers of threads with a reason; of stacks with a waker; and of groups, by these two. */
  readonly #owns = new PairNumbers();
  readonly #others = new PairNumbers();
  readonly #groups = new PairNumbers();
  /** By the number of a reason: for what threads wait; 0 where that is not looked up yet. */
  readonly #purposes = new Uint8Array(1 << 8);
  /** By thread: the last group without a stack that was looked up, its reason and its waker. */
  #last = new Int32Array(1 << 10);
  #lastReason = new Uint8Array(1 << 10).fill(NO_REASON);
  #lastWaker = new Int32Array(1 << 10);

  /** `partsWork`: whether waits for work are parted by wakers and stacks, too. */
  constructor(stacks: BlockStacks | null, partsWork: boolean) {
    [this.#stacks, this.#partsWork] = [stacks, partsWork];
  }

  /** The number of the group of a block. */
  of(block: Block): number {
    const { utid, reason } = block;
    if (utid >= this.#last.length) this.#makeRoom(2 * utid);
    const isParted = this.parts(reason);
    const waker = isParted ? block.waker : ANY_WAKER;
    const stacks = isParted ? this.#stacks : null;
    // Many blocks of a thread are like the one before: that takes a tenth of a look-up.
    if (stacks === null && this.#lastReason[utid] === reason && this.#lastWaker[utid] === waker)
      return this.#last[utid] ?? 0;
    const callsite = stacks === null ? NO_STACK : stacks.stackAt(block[stacks.at]);
    const group = this.#groups.of(this.#owns.of(utid, reason), this.#others.of(callsite, waker));
    this.#last[utid] = group;
    this.#lastReason[utid] = stacks === null ? reason : NO_REASON;
    this.#lastWaker[utid] = waker;
    return group;
  }

  /** Whether blocks with a wait reason are parted by wakers and stacks. */
  parts(reason: number): boolean {
    return this.#partsWork || !this.#isWork(reason);
  }

  /** How many threads with a wait reason there are. */
  get ownCount(): number {
    return this.#owns.count;
  }

  /** The number of the thread and the wait reason of a group. */
  ownOf(group: number): number {
    return this.#groups.first(group);
  }

  utidOf(group: number): number {
    return this.#owns.first(this.ownOf(group));
  }

  /** The number of the wait reason of a group. */
  reasonOf(group: number): number {
    return this.#owns.second(this.ownOf(group));
  }

  isForWork(group: number): boolean {
    return this.#isWork(this.reasonOf(group));
  }

  /** As in {@link Block}; {@link ANY_WAKER} where the blocks are not parted. */
  wakerOf(group: number): number {
    return this.#others.second(this.#groups.second(group));
  }

  /** The innermost call of the stack of a group; −1 for none. */
  callsiteOf(group: number): number {
    return this.#others.first(this.#groups.second(group));
  }

  #isWork(reason: number): boolean {
    const known = this.#purposes[reason] ?? 0;
    if (known !== 0) return known === TO_GET_WORK;
    const isWork = FOR_WORK.has(this.reasons[reason] ?? '');
    this.#purposes[reason] = isWork ? TO_GET_WORK : FOR_OTHERS;
    return isWork;
  }

  #makeRoom(threads: number): void {
    this.#last = grown(this.#last, new Int32Array(threads));
    this.#lastReason = grown(this.#lastReason, new Uint8Array(threads).fill(NO_REASON));
    this.#lastWaker = grown(this.#lastWaker, new Int32Array(threads));
  }
}

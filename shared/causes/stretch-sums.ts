import type { Stretch, Tables } from '../tables/index.ts';
import { asleepIn, outside } from './asleep.ts';
import type { BlockGroups } from './block-groups.ts';
import { Blocks, eachBlock, type Block, type RunStretch } from './each-block.ts';
import { GroupSums, type GroupColumns } from './group-sums.ts';
import { Numbers } from './numbers.ts';
import type { Span } from './stretches.ts';
import { NOT_ENDED } from './wakers.ts';

/** A recording is parted into so many stretches with as many runs each. A range reads those at its ends. */
const STRETCHES = 128;
/** So many sums and single blocks are kept at most, some 40 bytes each: of more the sums spare little. */
const MOST_KEPT = 1 << 21;
/** A part of a trace has as large a part of these, but for the first ones: what threads do at first says less of the rest. */
const FIRST_PART = 1 / 8;

/** Sums of blocks by group, and of those that are not parted by wakers ({@link BlockGroups}) also by {@link numberOfWaker}. */
interface SumColumns {
  readonly sums: GroupColumns;
  readonly wakers: GroupColumns;
}

/** Sums of blocks, and what the numbers of their groups say. */
export interface NumberedSums extends SumColumns {
  readonly groups: BlockGroups;
  /** Whether the machine slept: then blocks may have no time that counts. */
  readonly hasSlept: boolean;
}

/** A waker as a number from 0 on, and back. */
const numberOfWaker = (waker: number): number => waker - NOT_ENDED;
export const wakerOfNumber = (number: number): number => number + NOT_ENDED;

/**
 * The blocks of a trace, summed by stretch of the recording: those that began and ended in it. The others are kept one by one: of
 * each stretch each thread has one at most.
 */
export class StretchSums {
  readonly #tables: Tables;
  readonly #newGroups: () => BlockGroups;
  #groups: BlockGroups;
  readonly #asleep: readonly Span[];
  readonly #stretches: { readonly runs: RunStretch; readonly sums: SumColumns }[] = [];
  #single: SingleBlocks;
  /** False where the sums of a trace are too many: then all is read of each range. */
  #isKept = true;

  private constructor(tables: Tables, newGroups: () => BlockGroups, asleep: readonly Span[]) {
    [this.#tables, this.#newGroups, this.#asleep] = [tables, newGroups, asleep];
    this.#groups = newGroups();
    this.#single = new SingleBlocks(this.#groups);
  }

  /** Goes through a trace. `newGroups` gives groups without any numbers. */
  static async of(
    tables: Tables,
    newGroups: () => BlockGroups,
    { stretches = STRETCHES, most = MOST_KEPT }: { readonly stretches?: number; readonly most?: number } = {},
  ): Promise<StretchSums> {
    const asleep = await asleepIn(tables, { start: -Infinity, end: Infinity });
    const kept = new StretchSums(tables, newGroups, asleep);
    await kept.#readAll(stretches, most);
    return kept;
  }

  /** The sums of the blocks that lie in a range, as far as they do. */
  async sumsIn(range: Stretch): Promise<NumberedSums> {
    const hasSlept = this.#asleep.length > 0;
    if (!this.#isKept) {
      const groups = this.#newGroups();
      const sums = new BlockSums(groups);
      await eachBlock(
        this.#tables,
        (block) => this.#addWithin(sums, range, block, groups.of(block)),
        groups.reasons,
      );
      return { ...sums.take(), groups, hasSlept };
    }
    const sums = new BlockSums(this.#groups);
    for (const { runs, sums: within } of this.#stretches) {
      if (runs.from_ts >= range.end || runs.until_ts <= range.start) continue;
      if (runs.from_ts >= range.start && runs.until_ts <= range.end) sums.addSums(within);
      else await this.#readStretch(sums, range, runs);
    }
    this.#single.each((block, group) => this.#addWithin(sums, range, block, group));
    return { ...sums.take(), groups: this.#groups, hasSlept };
  }

  async #readAll(stretches: number, most: number): Promise<void> {
    const rowCount = Math.max(1, await this.#tables.rowCount('etw_run'));
    const groups = this.#groups;
    const sums = new BlockSums(groups);
    let kept = 0;
    const blocks = new Blocks((block) => {
      if (block.isWithinStretch) sums.add(block, groups.of(block), outside(block.ts, block.te, this.#asleep));
      else this.#single.add(block, groups.of(block));
    }, groups.reasons);
    await blocks.readAll(this.#tables, Math.ceil(rowCount / stretches), (runs) => {
      kept += sums.count;
      this.#stretches.push({ runs, sums: sums.take() });
      const part = Math.max(FIRST_PART, runs.endRow / rowCount);
      this.#isKept = kept + this.#single.count <= most * part;
      return this.#isKept;
    });
    if (this.#isKept) return;
    this.#stretches.length = 0;
    this.#groups = this.#newGroups();
    this.#single = new SingleBlocks(this.#groups);
  }

  /** Adds the blocks that began and ended in a stretch. */
  async #readStretch(sums: BlockSums, range: Stretch, runs: RunStretch): Promise<void> {
    const blocks = new Blocks((block) => {
      if (block.isWithinStretch) this.#addWithin(sums, range, block, this.#groups.of(block));
    }, this.#groups.reasons);
    await blocks.readStretch(this.#tables, runs);
  }

  #addWithin(sums: BlockSums, range: Stretch, block: SummedBlock, group: number): void {
    const ts = Math.max(block.ts, range.start);
    const te = Math.min(block.te, range.end);
    if (ts >= te) return;
    sums.add(block, group, outside(ts, te, this.#asleep));
  }
}

/** What is summed of a block. */
type SummedBlock = Pick<Block, 'utid' | 'ts' | 'te' | 'waker' | 'reason' | 'order'>;

/** Sums blocks by group, and those that are not parted by wakers by these, too. */
class BlockSums {
  readonly #groups: BlockGroups;
  readonly #sums = new GroupSums();
  readonly #wakers = new GroupSums();

  constructor(groups: BlockGroups) {
    this.#groups = groups;
  }

  /** How many sums there are. */
  get count(): number {
    return this.#sums.count + this.#wakers.count;
  }

  /** Adds a block of a group, of which so much counts. */
  add({ utid, ts, te, waker, reason, order }: SummedBlock, group: number, ns: number): void {
    this.#sums.add(group, ns, order, ts, te - ts, utid);
    if (!this.#groups.parts(reason)) this.#wakers.add(numberOfWaker(waker), ns, order, ts, te - ts, utid);
  }

  /** Adds other sums. */
  addSums({ sums, wakers }: SumColumns): void {
    this.#sums.addSums(sums);
    this.#wakers.addSums(wakers);
  }

  /** Gives the sums, and begins anew. */
  take(): SumColumns {
    return { sums: this.#sums.take(), wakers: this.#wakers.take() };
  }
}

/** Blocks with the numbers of their groups, in columns. */
class SingleBlocks {
  count = 0;
  readonly #groups: BlockGroups;
  readonly #ts = new Numbers();
  readonly #te = new Numbers();
  readonly #order = new Numbers();
  readonly #group = new Numbers();
  readonly #waker = new Numbers();

  constructor(groups: BlockGroups) {
    this.#groups = groups;
  }

  add({ ts, te, order, waker }: SummedBlock, group: number): void {
    this.count++;
    this.#ts.push(ts);
    this.#te.push(te);
    this.#order.push(order);
    this.#group.push(group);
    this.#waker.push(waker);
  }

  each(tell: (block: SummedBlock, group: number) => void): void {
    const [begins, ends] = [this.#ts.values(), this.#te.values()];
    const [orders, numbers, wakers] = [this.#order.values(), this.#group.values(), this.#waker.values()];
    const groups = this.#groups;
    const block = { utid: 0, ts: NaN, te: NaN, waker: 0, reason: 0, order: NaN };
    for (let at = 0; at < this.count; at++) {
      const group = (numbers[at] ?? 0) | 0;
      block.utid = groups.utidOf(group);
      block.ts = begins[at] ?? 0;
      block.te = ends[at] ?? 0;
      block.waker = (wakers[at] ?? 0) | 0;
      block.reason = groups.reasonOf(group);
      block.order = orders[at] ?? 0;
      tell(block, group);
    }
  }
}

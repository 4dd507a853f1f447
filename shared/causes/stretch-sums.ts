import type { Stretch, Tables } from '../tables/index.ts';
import { asleepIn, outside } from './asleep.ts';
import type { BlockGroups } from './block-groups.ts';
import { Blocks, eachBlock, type Block, type RunStretch } from './each-block.ts';
import { GroupSums, type GroupColumns } from './group-sums.ts';
import { Numbers } from './numbers.ts';
import type { Span } from './stretches.ts';

/** A recording is parted into so many stretches with as many runs each. A range reads those at its ends. */
const STRETCHES = 128;
/** So many sums and single blocks are kept at most, some 40 bytes each: of more the sums spare little. */
const MOST_KEPT = 1 << 21;
/** A part of a trace has as large a part of these, but for the first ones: what threads do at first says less of the rest. */
const FIRST_PART = 1 / 8;

/** Sums of blocks, and what the numbers of their groups say. */
export interface NumberedSums {
  readonly sums: GroupColumns;
  readonly groups: BlockGroups;
}

/**
 * The blocks of a trace, summed by stretch of the recording: those that began and ended in it. The others are kept one by one: of
 * each stretch each thread has one at most.
 */
export class StretchSums {
  readonly #tables: Tables;
  readonly #newGroups: () => BlockGroups;
  #groups: BlockGroups;
  readonly #asleep: readonly Span[];
  readonly #stretches: { readonly runs: RunStretch; readonly sums: GroupColumns }[] = [];
  #single = new SingleBlocks();
  /** False where the sums of a trace are too many: then all is read of each range. */
  #isKept = true;

  private constructor(tables: Tables, newGroups: () => BlockGroups, asleep: readonly Span[]) {
    [this.#tables, this.#newGroups, this.#asleep] = [tables, newGroups, asleep];
    this.#groups = newGroups();
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
    const sums = new GroupSums();
    if (!this.#isKept) {
      const groups = this.#newGroups();
      const tell = (block: Block) => {
        this.#addWithin(sums, range, block, groups.of(block));
      };
      await eachBlock(this.#tables, tell, groups.reasons);
      return { sums: sums.take(), groups };
    }
    for (const { runs, sums: within } of this.#stretches) {
      if (runs.from_ts >= range.end || runs.until_ts <= range.start) continue;
      if (runs.from_ts >= range.start && runs.until_ts <= range.end) sums.addSums(within);
      else await this.#readStretch(sums, range, runs);
    }
    this.#single.each((block, group) => {
      this.#addWithin(sums, range, block, group);
    });
    return { sums: sums.take(), groups: this.#groups };
  }

  async #readAll(stretches: number, most: number): Promise<void> {
    const rowCount = Math.max(1, await this.#tables.rowCount('etw_run'));
    const sums = new GroupSums();
    let kept = 0;
    const blocks = new Blocks((block) => {
      const group = this.#groups.of(block);
      const { ts, te } = block;
      if (!block.isWithinStretch) this.#single.add(block, group);
      else sums.add(group, outside(ts, te, this.#asleep), block.order, ts, te - ts);
    }, this.#groups.reasons);
    await blocks.readAll(this.#tables, Math.ceil(rowCount / stretches), (runs) => {
      kept += sums.count;
      this.#stretches.push({ runs, sums: sums.take() });
      const part = Math.max(FIRST_PART, runs.endRow / rowCount);
      this.#isKept = kept + this.#single.count <= most * part;
      return this.#isKept;
    });
    if (this.#isKept) return;
    this.#stretches.length = 0;
    this.#single = new SingleBlocks();
    this.#groups = this.#newGroups();
  }

  /** Adds the blocks that began and ended in a stretch. */
  async #readStretch(sums: GroupSums, range: Stretch, runs: RunStretch): Promise<void> {
    const blocks = new Blocks((block) => {
      if (block.isWithinStretch) this.#addWithin(sums, range, block, this.#groups.of(block));
    }, this.#groups.reasons);
    await blocks.readStretch(this.#tables, runs);
  }

  #addWithin(sums: GroupSums, range: Stretch, block: SingleBlock, group: number): void {
    const ts = Math.max(block.ts, range.start);
    const te = Math.min(block.te, range.end);
    if (ts >= te) return;
    sums.add(group, outside(ts, te, this.#asleep), block.order, block.ts, block.te - block.ts);
  }
}

type SingleBlock = Pick<Block, 'ts' | 'te' | 'order'>;

/** Blocks with the numbers of their groups, in columns. */
class SingleBlocks {
  count = 0;
  readonly #ts = new Numbers();
  readonly #te = new Numbers();
  readonly #order = new Numbers();
  readonly #group = new Numbers();

  add({ ts, te, order }: SingleBlock, group: number): void {
    this.count++;
    this.#ts.push(ts);
    this.#te.push(te);
    this.#order.push(order);
    this.#group.push(group);
  }

  each(tell: (block: SingleBlock, group: number) => void): void {
    const [begins, ends] = [this.#ts.values(), this.#te.values()];
    const [orders, groups] = [this.#order.values(), this.#group.values()];
    const block = { ts: NaN, te: NaN, order: NaN };
    for (let at = 0; at < this.count; at++) {
      block.ts = begins[at] ?? 0;
      block.te = ends[at] ?? 0;
      block.order = orders[at] ?? 0;
      tell(block, (groups[at] ?? 0) | 0);
    }
  }
}

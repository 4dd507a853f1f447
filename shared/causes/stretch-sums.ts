import { grown, type Stretch, type Tables } from '../tables/index.ts';
import { asleepIn, outside } from './asleep.ts';
import type { BlockGroups } from './block-groups.ts';
import { Blocks, eachBlock, type Block, type RunStretch } from './each-block.ts';
import { GroupSums, type GroupColumns } from './group-sums.ts';
import type { Span } from './stretches.ts';

/** A recording is parted into so many stretches with as many runs each. A range reads those at its ends. */
const STRETCHES = 128;
/** So many sums and single blocks are kept at most, some 40 bytes each: of more the sums spare little. */
const MOST_KEPT = 1 << 21;
/** A part of a trace has as large a part of these, but for the first ones: what threads do at first says less of the rest. */
const FIRST_PART = 1 / 8;

/**
 * The blocks of a trace, summed by stretch of the recording: those that began and ended in it. The others are kept one by one: of
 * each stretch each thread has one at most.
 */
export class StretchSums {
  readonly #tables: Tables;
  readonly #groups: BlockGroups;
  readonly #asleep: readonly Span[];
  readonly #stretches: { readonly runs: RunStretch; readonly sums: GroupColumns }[] = [];
  readonly #single = new SingleBlocks();
  /** False where the sums of a trace are too many: then all is read of each range. */
  #isKept = true;

  private constructor(tables: Tables, groups: BlockGroups, asleep: readonly Span[]) {
    [this.#tables, this.#groups, this.#asleep] = [tables, groups, asleep];
  }

  /** Goes through a trace. */
  static async of(
    tables: Tables,
    groups: BlockGroups,
    { stretches = STRETCHES, most = MOST_KEPT }: { readonly stretches?: number; readonly most?: number } = {},
  ): Promise<StretchSums> {
    const asleep = await asleepIn(tables, { start: -Infinity, end: Infinity });
    const kept = new StretchSums(tables, groups, asleep);
    await kept.#readAll(await tables.rowCount('etw_run'), stretches, most);
    return kept;
  }

  /** The sums of the blocks that lie in a range, as far as they do. */
  async sumsIn(range: Stretch): Promise<GroupColumns> {
    const sums = new GroupSums();
    if (!this.#isKept) {
      const tell = (block: Block) => {
        this.#addWithin(sums, range, block, this.#groups.of(block));
      };
      await eachBlock(this.#tables, tell, this.#groups.reasons);
      return sums.take();
    }
    for (const { runs, sums: within } of this.#stretches) {
      if (runs.from_ts >= range.end || runs.until_ts <= range.start) continue;
      if (runs.from_ts >= range.start && runs.until_ts <= range.end) sums.addSums(within);
      else await this.#readStretch(sums, range, runs);
    }
    this.#single.each((block, group) => {
      this.#addWithin(sums, range, block, group);
    });
    return sums.take();
  }

  async #readAll(rowCount: number, stretches: number, most: number): Promise<void> {
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
    this.#single.clear();
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
  #ts = new Float64Array(0);
  #te = new Float64Array(0);
  #order = new Float64Array(0);
  #group = new Int32Array(0);

  add({ ts, te, order }: SingleBlock, group: number): void {
    const at = this.count++;
    if (at === this.#ts.length) this.#makeRoom(2 * at + 1);
    this.#ts[at] = ts;
    this.#te[at] = te;
    this.#order[at] = order;
    this.#group[at] = group;
  }

  each(tell: (block: SingleBlock, group: number) => void): void {
    const block = { ts: NaN, te: NaN, order: NaN };
    for (let at = 0; at < this.count; at++) {
      block.ts = this.#ts[at] ?? 0;
      block.te = this.#te[at] ?? 0;
      block.order = this.#order[at] ?? 0;
      tell(block, this.#group[at] ?? 0);
    }
  }

  clear(): void {
    this.count = 0;
    [this.#ts, this.#te, this.#order] = [new Float64Array(0), new Float64Array(0), new Float64Array(0)];
    this.#group = new Int32Array(0);
  }

  #makeRoom(blocks: number): void {
    this.#ts = grown(this.#ts, new Float64Array(blocks));
    this.#te = grown(this.#te, new Float64Array(blocks));
    this.#order = grown(this.#order, new Float64Array(blocks));
    this.#group = grown(this.#group, new Int32Array(blocks));
  }
}

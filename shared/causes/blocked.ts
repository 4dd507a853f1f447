import { oncePerTrace, type Query } from '../engine/index.ts';
import { dataOf, grown } from '../tables/index.ts';
import { eachBlock, type Block, type TellBlock } from './each-block.ts';

/** Of a trace with no more blocks these are kept: 33 bytes each. */
const MOST_BLOCKS = 1 << 23;

/** Passes on all blocks of a recording, as {@link eachBlock} does. A trace is read once, unless it has too many blocks to keep. */
export async function visitBlocks(query: Query, tell: TellBlock, most = MOST_BLOCKS): Promise<void> {
  const kept = await keptOf(query);
  if (kept.blocks !== null) {
    kept.blocks.each(tell);
    return;
  }
  let blocks = kept.areTooMany ? null : new KeptBlocks();
  await eachBlock(dataOf(query).tables, (block, reasons) => {
    tell(block, reasons);
    if (blocks?.count === most) {
      blocks = null;
      kept.areTooMany = true;
    }
    blocks?.add(block, reasons);
  });
  kept.blocks = blocks;
}

/** What is kept of a trace, once it was read. */
interface Kept {
  blocks: KeptBlocks | null;
  areTooMany: boolean;
}

const keptOf = oncePerTrace((): Promise<Kept> => Promise.resolve({ blocks: null, areTooMany: false }));

/** Blocks in columns. */
class KeptBlocks {
  #ts = new Float64Array(1 << 10);
  #te = new Float64Array(1 << 10);
  #in_ts = new Float64Array(1 << 10);
  #utid = new Int32Array(1 << 10);
  #waker = new Int32Array(1 << 10);
  #reason = new Uint8Array(1 << 10);
  #reasons: readonly (string | null)[] = [];
  count = 0;

  add({ ts, te, in_ts, utid, waker, reason }: Block, reasons: readonly (string | null)[]): void {
    const at = this.count++;
    if (at === this.#ts.length) this.#makeRoom(2 * at);
    this.#ts[at] = ts;
    this.#te[at] = te;
    this.#in_ts[at] = in_ts;
    this.#utid[at] = utid;
    this.#waker[at] = waker;
    this.#reason[at] = reason;
    this.#reasons = reasons;
  }

  each(tell: TellBlock): void {
    const block = { utid: 0, ts: NaN, te: NaN, in_ts: NaN, waker: 0, reason: 0 };
    for (let at = 0; at < this.count; at++) {
      block.utid = this.#utid[at] ?? 0;
      block.ts = this.#ts[at] ?? 0;
      block.te = this.#te[at] ?? 0;
      block.in_ts = this.#in_ts[at] ?? NaN;
      block.waker = this.#waker[at] ?? 0;
      block.reason = this.#reason[at] ?? 0;
      tell(block, this.#reasons);
    }
  }

  #makeRoom(blocks: number): void {
    this.#ts = grown(this.#ts, new Float64Array(blocks));
    this.#te = grown(this.#te, new Float64Array(blocks));
    this.#in_ts = grown(this.#in_ts, new Float64Array(blocks));
    this.#utid = grown(this.#utid, new Int32Array(blocks));
    this.#waker = grown(this.#waker, new Int32Array(blocks));
    this.#reason = grown(this.#reason, new Uint8Array(blocks));
  }
}

import type { Things } from '../../../shared/compare/things.ts';
import type { RowNumbers, WaitRows } from '../../../shared/causes/index.ts';
import { grown } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';
import { ChainTree } from './chain-tree.ts';
import { processName, threadName } from './names.ts';

/** How many signatures of a trace are kept: as many as have that part of the ready time, within these bounds. */
const KEPT = { part: 0.999, least: 100, most: 1000 };
/** Of each thread so many wakes are remembered: a waker may have been woken again before the woken thread ran. */
const REMEMBERED = 4;

/** What is summed up of wakes. */
export interface ChainSums {
  readonly chains: readonly LakeRow<'chain'>[];
  /** Signatures that are not among them. */
  readonly chains_left_out: number;
}

/** In place of a chain. */
const NONE = -1;

/** Signatures of wake chains; waits are added in the order of their ends. */
export class Chains {
  readonly #things: Things;
  /** Names of threads, and their numbers: by the thread's key, from 1 on, and by text. */
  readonly #names: string[] = ['DPC'];
  readonly #nameOf = new Map<string, number>([['DPC', 0]]);
  #nameOfThread = new Int32Array(1 << 10).fill(NONE);
  readonly #chains = new ChainTree();
  /** Of each thread its last wakes in turns: when the wait ended, and the chain. */
  #cameTe = new Float64Array(REMEMBERED << 10);
  #cameChain = new Int32Array(REMEMBERED << 10).fill(NONE);
  #cameCount = new Uint32Array(1 << 10);

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds those rows of waits that a wake began. */
  add(waits: WaitRows, rows: Uint32Array): void {
    const [starts, ends, utids] = [waits.column('ts'), waits.column('te'), waits.column('utid')];
    const [wakers, causes] = [waits.column('waker_utid'), waits.column('cause')];
    const wake = waits.numberOf('cause', 'wake');
    const dpc = this.#chains.of(0, NONE);
    const chains = new Int32Array(rows.length).fill(NONE);
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] ?? 0;
      if (causes[row] !== wake) continue;
      // The thread that ended what the other one had waited for; none where it was a DPC.
      const waker = wakers[row] ?? NaN;
      const before = Number.isNaN(waker) ? dpc : this.#before(waker | 0, starts, row);
      const utid = (utids[row] ?? 0) | 0;
      const chain = this.#chains.of(this.#name(utid), before);
      const count = this.#cameCount[utid] ?? 0;
      const place = utid * REMEMBERED + (count % REMEMBERED);
      this.#cameTe[place] = ends[row] ?? 0;
      this.#cameChain[place] = chain;
      this.#cameCount[utid] = count + 1;
      chains[at] = chain;
    }
    this.#chains.add(waits, rows, chains);
  }

  /** The signatures with most ready time. */
  sums(tids: ReadonlyMap<number, number>): ChainSums {
    const { count, ready_ns, chains: greatest } = this.#chains.greatest(KEPT.most);
    const enough = KEPT.part * ready_ns;
    let before_ns = 0;
    const chains = greatest
      .map(({ names, ...sum }) => ({ chain: names.map((name) => this.#names[name]).join(' < '), ...sum }))
      .sort((a, b) => b.ready_ns - a.ready_ns || (a.chain < b.chain ? -1 : 1))
      .slice(0, KEPT.most)
      .filter(({ ready_ns }, at) => {
        const isKept = at < KEPT.least || before_ns < enough;
        before_ns += ready_ns;
        return isKept;
      })
      .map(({ longest_utid, ...sum }) => ({ ...sum, longest_tid: tids.get(longest_utid) ?? null }));
    return { chains, chains_left_out: count - chains.length };
  }

  /** How the waker had come to run when it woke another, as a row's wait began. */
  #before(waker: number, starts: RowNumbers, row: number): number {
    const name = this.#name(waker);
    const ts = starts[row] ?? 0;
    const count = this.#cameCount[waker] ?? 0;
    for (let back = 1; back <= Math.min(count, REMEMBERED); back++) {
      const place = waker * REMEMBERED + ((count - back) % REMEMBERED);
      if ((this.#cameTe[place] ?? 0) <= ts) return this.#cameChain[place] ?? NONE;
    }
    return this.#chains.of(name, NONE);
  }

  #name(utid: number): number {
    const known = this.#nameOfThread[utid] ?? NONE;
    if (known !== NONE) return known;
    if (utid >= this.#nameOfThread.length) this.#grow(2 * utid);
    const of = this.#things.threadOf(utid);
    const thread = threadName(this.#things, of);
    const process = processName(this.#things, of);
    const name = thread === null ? process : `${process}!${thread}`;
    const number = this.#nameOf.get(name) ?? this.#names.push(name) - 1;
    this.#nameOf.set(name, number);
    return (this.#nameOfThread[utid] = number);
  }

  #grow(threads: number): void {
    this.#nameOfThread = grown(this.#nameOfThread, new Int32Array(threads).fill(NONE));
    this.#cameTe = grown(this.#cameTe, new Float64Array(REMEMBERED * threads));
    this.#cameChain = grown(this.#cameChain, new Int32Array(REMEMBERED * threads).fill(NONE));
    this.#cameCount = grown(this.#cameCount, new Uint32Array(threads));
  }
}

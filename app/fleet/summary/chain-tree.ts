import type { WaitRows } from '../../../shared/causes/index.ts';
import { grown, PairNumbers } from '../../../shared/tables/index.ts';
import { WaitSums } from './wait-sums.ts';

/** How many threads a signature names at most. */
const STEPS = 4;
/** In place of a chain. */
const NONE = -1;

/** What is summed up of a chain, by the numbers of names: the thread that was woken, then its waker, and so on. */
export interface ChainSum {
  readonly names: readonly number[];
  readonly steps: number;
  readonly wakes: number;
  readonly ready_ns: number;
  readonly longest_ns: number;
  readonly longest_ts: number;
  readonly longest_utid: number;
}

/** Chains of names by number, each a name before another chain; of each one number only. Sums of these. */
export class ChainTree {
  /** Of each chain the chain behind its first name, and this name. */
  readonly #chains = new PairNumbers();
  /** The chain without its last name, where it has as many as a signature names; else the chain. */
  #shorter = new Int32Array(1 << 10);
  readonly #sums = new WaitSums();

  /** The chain of a name and of the chain that came before. That chain loses its last name where it is full. */
  of(name: number, before: number): number {
    const rest = before === NONE ? NONE : (this.#shorter[before] ?? NONE);
    const known = this.#chains.count;
    const chain = this.#chains.of(rest, name);
    if (chain === known) this.#make(chain);
    return chain;
  }

  #make(chain: number): void {
    if (chain === this.#shorter.length) this.#shorter = grown(this.#shorter, new Int32Array(2 * chain));
    const names = this.#namesOf(chain);
    const isFull = names.length === STEPS;
    // Reckoned before it is put down: it may make the columns grow.
    const shorter = isFull
      ? names.slice(0, -1).reduceRight((behind, of) => this.of(of, behind), NONE)
      : chain;
    this.#shorter[chain] = shorter;
  }

  /** Adds the waits of threads that chains woke, of each row the chain, negative for none; of several that are the longest the first counts. */
  add(waits: WaitRows, rows: Uint32Array, chains: Int32Array): void {
    this.#sums.add(waits, rows, chains, this.#chains.count);
  }

  /** The chains that woke threads. */
  sums(): ChainSum[] {
    return Array.from({ length: this.#chains.count }, (_, chain) => {
      const { waits: wakes, ...sum } = this.#sums.of(chain);
      return { chain, wakes, ...sum };
    })
      .filter(({ wakes }) => wakes > 0)
      .map(({ chain, ...sum }) => {
        const names = this.#namesOf(chain);
        return { names, steps: names.length, ...sum };
      });
  }

  #namesOf(chain: number): number[] {
    const names: number[] = [];
    for (let at = chain; at !== NONE; at = this.#chains.first(at)) names.push(this.#chains.second(at));
    return names;
  }
}

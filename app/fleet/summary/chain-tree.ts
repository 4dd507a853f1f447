import { firstWhere, type WaitRows } from '../../../shared/causes/index.ts';
import { filled, grown, PairNumbers } from '../../../shared/tables/index.ts';
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

/** See {@link ChainTree.greatest}. */
export interface GreatestChains {
  readonly count: number;
  readonly ready_ns: number;
  readonly chains: readonly ChainSum[];
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

  /**
   * The chains that woke threads: how many there are, and how long the threads were ready; of these chains so many with most ready time, and
   * all with as much as the last of those. Only these are put together: there can be a hundred times as many.
   */
  greatest(most: number): GreatestChains {
    const ready_ns = filled(new Float64Array(this.#chains.count), (chain) =>
      this.#sums.waitsOf(chain) === 0 ? NONE : this.#sums.readyNsOf(chain),
    );
    const rising = ready_ns.slice().sort();
    const woke = rising.subarray(firstWhere(rising.length, (at) => (rising[at] ?? 0) > NONE));
    const least_ns = woke.at(-most) ?? 0;
    const chains: ChainSum[] = [];
    for (let chain = 0; chain < ready_ns.length; chain++) {
      if ((ready_ns[chain] ?? NONE) < least_ns) continue;
      const names = this.#namesOf(chain);
      const { waits: wakes, ...sum } = this.#sums.of(chain);
      chains.push({ names, steps: names.length, wakes, ...sum });
    }
    return { count: woke.length, ready_ns: woke.reduce((sum, ns) => sum + ns, 0), chains };
  }

  #namesOf(chain: number): number[] {
    const names: number[] = [];
    for (let at = chain; at !== NONE; at = this.#chains.first(at)) names.push(this.#chains.second(at));
    return names;
  }
}

import type { Things } from '../../../shared/compare/things.ts';
import type { LakeRow } from '../tables.ts';
import { processName, threadName } from './names.ts';

/** How many threads a signature names at most. */
const STEPS = 4;
/** How many signatures of a trace are kept. */
const KEPT = 1000;
/** Of each thread so many wakes are remembered: a waker may have been woken again before the woken thread ran. */
const REMEMBERED = 4;

/** A ready wait that a wake began. */
interface Woken {
  readonly ts: number;
  readonly te: number;
  readonly utid: number;
}

/** How a thread came to run: when that wait ended, and by whose wakes. */
interface Came {
  readonly te: number;
  readonly chain: readonly string[];
}

interface Sum {
  readonly steps: number;
  wakes: number;
  ready_ns: number;
  longest: Woken;
}

/** What is summed up of wakes. */
export interface ChainSums {
  readonly chains: readonly LakeRow<'chain'>[];
  /** Signatures that are not among them. */
  readonly chains_left_out: number;
}

/** Signatures of wake chains; waits are added in the order of their ends. */
export class Chains {
  readonly #things: Things;
  readonly #names = new Map<number, string>();
  readonly #came = new Map<number, Came[]>();
  readonly #sums = new Map<string, Sum>();

  constructor(things: Things) {
    this.#things = things;
  }

  /** Adds a wait; `waker` is the thread that ended what it had waited for, null for a DPC. */
  add(wait: Woken, waker: number | null): void {
    const before = waker === null ? ['DPC'] : this.#before(waker, wait.ts);
    const chain = [this.#name(wait.utid), ...before].slice(0, STEPS);
    const came = this.#came.get(wait.utid) ?? [];
    this.#came.set(wait.utid, came);
    came.push({ te: wait.te, chain });
    if (came.length > REMEMBERED) came.shift();
    const key = chain.join(' < ');
    const ready_ns = wait.te - wait.ts;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { steps: chain.length, wakes: 1, ready_ns, longest: wait });
      return;
    }
    sum.wakes += 1;
    sum.ready_ns += ready_ns;
    if (ready_ns > sum.longest.te - sum.longest.ts) sum.longest = wait;
  }

  /** The signatures with most ready time. */
  sums(tids: ReadonlyMap<number, number>): ChainSums {
    const all = [...this.#sums].sort(
      ([a, { ready_ns: ofA }], [b, { ready_ns: ofB }]) => ofB - ofA || (a < b ? -1 : 1),
    );
    const chains = all.slice(0, KEPT).map(([chain, { steps, wakes, ready_ns, longest }]) => ({
      chain,
      steps,
      wakes,
      ready_ns,
      longest_ns: longest.te - longest.ts,
      longest_ts: longest.ts,
      longest_tid: tids.get(longest.utid) ?? null,
    }));
    return { chains, chains_left_out: all.length - chains.length };
  }

  /** How the waker had come to run when it woke another. */
  #before(waker: number, ts: number): readonly string[] {
    const came = this.#came
      .get(waker)
      ?.slice()
      .reverse()
      .find(({ te }) => te <= ts);
    return came?.chain ?? [this.#name(waker)];
  }

  #name(utid: number): string {
    const known = this.#names.get(utid);
    if (known !== undefined) return known;
    const of = this.#things.threadOf(utid);
    const thread = threadName(this.#things, of);
    const process = processName(this.#things, of);
    const name = thread === null ? process : `${process}!${thread}`;
    this.#names.set(utid, name);
    return name;
  }
}

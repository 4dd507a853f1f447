import { grown } from '../../tables/index.ts';
import { firstWhere } from '../rows.ts';
import type { CpuTimeline } from './cpu-timeline.ts';

/** The states that CPUs are in, and since when. */
type CpuStates = Pick<CpuTimeline, 'state' | 'now'>;

/** So many stretches are looked at before one is looked for among all. */
const LAST = 8;

/**
 * Which states the CPUs of a machine were in, since when: of each stretch of time in which these do not change, a bit for each state.
 * The states of CPUs that are barred to threads have bits of their own. It knows the times of the waits that need it.
 */
export class Presence {
  /** When each stretch began; it lasts up to the next one. */
  ts = new Float64Array(1 << 10);
  /** The bits of each stretch, `words` numbers of 32 bits. */
  bits = new Int32Array(1 << 10);
  words = 1;
  /** How many stretches there are. */
  count = 0;
  /** How many waits under way need it. */
  waits = 0;
  /** Whether it hears what CPUs do. */
  isListening = false;
  /** How many instants it heard since a wait last needed it. */
  #unneeded = 0;
  readonly #cpus: CpuStates;
  /** 1 for a CPU that is barred; null where none is. */
  readonly #barred: Uint8Array | null;
  /** The bit of the state of each CPU. */
  readonly #bitOf: Int32Array;
  /** By bit, how many CPUs are in that state. */
  #counts = new Int32Array(32);
  /** The bits of the stretch at hand. */
  #now = new Int32Array(1);
  #hasChanged = true;

  /** Of the states of `cpus`. */
  constructor(cpus: CpuStates, barred: readonly number[]) {
    this.#cpus = cpus;
    const count = cpus.state.length;
    this.#barred = barred.length === 0 ? null : new Uint8Array(count);
    for (const cpu of barred) if (this.#barred !== null) this.#barred[cpu] = 1;
    this.#bitOf = new Int32Array(count);
  }

  /** Stands where the CPUs stand, and must hear all their changes from then on: a stretch begins. */
  listen(): void {
    this.isListening = true;
    for (const bit of this.#bitOf) this.#counts[bit] = 0;
    this.#now.fill(0);
    for (let cpu = 0; cpu < this.#bitOf.length; cpu++) this.#enter(cpu);
    this.#hasChanged = true;
    this.#settle();
  }

  /** The bit of a state of a CPU. */
  bitOf(cpu: number, state: number): number {
    return this.#barred === null ? state : 2 * state + (this.#barred[cpu] ?? 0);
  }

  /** What a bit stands for. */
  ofBit(bit: number): { readonly state: number; readonly isBarred: boolean } {
    return this.#barred === null
      ? { state: bit, isBarred: false }
      : { state: bit >> 1, isBarred: (bit & 1) === 1 };
  }

  /** A CPU is in another state. */
  change(cpu: number): void {
    const bit = this.#bitOf[cpu] ?? 0;
    const count = (this.#counts[bit] ?? 0) - 1;
    this.#counts[bit] = count;
    if (count === 0) this.#flip(bit);
    this.#enter(cpu);
  }

  /** All changes of an instant are told: another stretch may begin. False where it listens no more. */
  settle(): boolean {
    this.#settle();
    if (this.waits > 0) this.#unneeded = 0;
    // To begin anew takes a look at each CPU.
    else if (++this.#unneeded > this.#bitOf.length) this.isListening = false;
    return this.isListening;
  }

  #settle(): void {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    const at = this.count++;
    if (at >= this.ts.length) {
      this.ts = grown(this.ts, new Float64Array(2 * at));
      this.bits = grown(this.bits, new Int32Array(2 * at * this.words));
    }
    this.ts[at] = this.#cpus.now;
    for (let word = 0; word < this.words; word++) this.bits[at * this.words + word] = this.#now[word] ?? 0;
  }

  /** The last stretch that began before a time. */
  before(ts: number): number {
    // Mostly it is one of the last.
    let at = this.count - 1;
    for (let tries = 0; at >= 0 && (this.ts[at] ?? 0) >= ts; at--)
      if (tries++ === LAST) return this.#find(ts);
    return at;
  }

  /** Apart, since what is looked for is then known to more than one function, which takes memory each time. */
  #find(ts: number): number {
    return firstWhere(this.count, (at) => (this.ts[at] ?? 0) >= ts) - 1;
  }

  #enter(cpu: number): void {
    const bit = this.bitOf(cpu, this.#cpus.state[cpu] ?? 0);
    this.#bitOf[cpu] = bit;
    while (bit >= 32 * this.words) this.#widen();
    const count = this.#counts[bit] ?? 0;
    this.#counts[bit] = count + 1;
    if (count === 0) this.#flip(bit);
  }

  #flip(bit: number): void {
    this.#now[bit >> 5] = (this.#now[bit >> 5] ?? 0) ^ (1 << (bit & 31));
    this.#hasChanged = true;
  }

  /** Room for twice as many states. */
  #widen(): void {
    const { words, bits } = this;
    this.words = 2 * words;
    this.#counts = grown(this.#counts, new Int32Array(32 * this.words));
    this.#now = grown(this.#now, new Int32Array(this.words));
    this.bits = new Int32Array(this.ts.length * this.words);
    for (let at = 0; at < this.count; at++)
      this.bits.set(bits.subarray(at * words, (at + 1) * words), at * this.words);
  }
}

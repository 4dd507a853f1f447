import { CpuBits } from './cpu-bits.ts';
import type { CpuRecord } from './record.ts';

/** A change of a CPU: its events begin or cease to be missing, or its recording begins. */
interface Change {
  readonly at: number;
  readonly cpu: number;
  readonly what: 'lost' | 'found' | 'begun';
}

/** The CPUs whose runs are recorded, and the CPUs whose events are missing, as time goes on. */
export class UnrecordedCpus {
  readonly #changes: readonly Change[];
  readonly #depths: Uint32Array;
  readonly #lost: CpuBits;
  readonly #begun: CpuBits;
  #next = 0;

  constructor({ first_run_ts, losses }: CpuRecord) {
    const cpuCount = first_run_ts.length;
    this.#lost = new CpuBits(1, cpuCount);
    this.#begun = new CpuBits(1, cpuCount);
    this.#depths = new Uint32Array(cpuCount);
    this.#changes = [
      ...losses.flatMap(({ cpu, ts, te }): Change[] => [
        { at: ts, cpu, what: 'lost' },
        { at: te, cpu, what: 'found' },
      ]),
      ...Array.from(first_run_ts, (at, cpu): Change => ({ at, cpu, what: 'begun' })),
    ].sort((a, b) => a.at - b.at);
  }

  /** Goes on to a time, which is not before the last one. */
  goTo(ts: number): void {
    for (; ; this.#next++) {
      const change = this.#changes[this.#next];
      if (change === undefined || change.at > ts) return;
      this.#apply(change);
    }
  }

  /**
   * Whether events are missing then of a CPU that is in the set of a place in `usable`, or of any without such a set: its events are lost, or
   * it has no run in the set of the place in `ran` though it had runs before.
   */
  isMissing(ran: CpuBits, place: number, usable: Uint32Array | null): boolean {
    for (let word = 0; word < ran.words; word++) {
      const missing =
        (this.#lost.bits[word] ?? 0) |
        ((this.#begun.bits[word] ?? 0) & ~(ran.bits[place * ran.words + word] ?? 0));
      if ((missing & (usable?.[word] ?? -1)) !== 0) return true;
    }
    return false;
  }

  #apply({ cpu, what }: Change): void {
    if (what === 'begun') {
      this.#begun.add(0, cpu);
      return;
    }
    const depth = (this.#depths[cpu] ?? 0) + (what === 'lost' ? 1 : -1);
    this.#depths[cpu] = depth;
    if (depth > 0) this.#lost.add(0, cpu);
    else this.#lost.delete(0, cpu);
  }
}

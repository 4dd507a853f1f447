/** What happens next on CPUs, the earliest last: most of what is added happens soon, and few CPUs stand behind it. */
export class CpuEvents {
  readonly #cpus: Uint32Array;
  readonly #times: Float64Array;
  /** By CPU. */
  readonly #orders: Float64Array;
  #count = 0;

  constructor(cpuCount: number) {
    this.#cpus = new Uint32Array(cpuCount);
    this.#times = new Float64Array(cpuCount);
    this.#orders = new Float64Array(cpuCount);
  }

  /** When something happens next; infinite if nothing does. */
  get next_ts(): number {
    return this.#count === 0 ? Infinity : (this.#times[this.#count - 1] ?? Infinity);
  }

  /** The order of that. */
  get next_order(): number {
    return this.#count === 0 ? Infinity : (this.#orders[this.#cpus[this.#count - 1] ?? 0] ?? Infinity);
  }

  /** Adds what happens next on a CPU that has no event. Orders ascend: of equal times the one that was added first comes first. */
  add(cpu: number, ts: number, order: number): void {
    const cpus = this.#cpus;
    const times = this.#times;
    let place = this.#count++;
    for (; place > 0 && (times[place - 1] ?? 0) <= ts; place--) {
      cpus[place] = cpus[place - 1] ?? 0;
      times[place] = times[place - 1] ?? 0;
    }
    cpus[place] = cpu;
    times[place] = ts;
    this.#orders[cpu] = order;
  }

  /** Takes what happens next: the CPU. */
  take(): number {
    return this.#cpus[--this.#count] ?? 0;
  }

  /** Takes the event of a CPU away, if there is one. */
  remove(cpu: number): void {
    const cpus = this.#cpus;
    const times = this.#times;
    let found = this.#count - 1;
    while (found >= 0 && cpus[found] !== cpu) found--;
    if (found < 0) return;
    this.#count--;
    for (let place = found; place < this.#count; place++) {
      cpus[place] = cpus[place + 1] ?? 0;
      times[place] = times[place + 1] ?? 0;
    }
  }
}

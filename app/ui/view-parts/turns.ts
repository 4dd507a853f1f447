/** What a turn does until its signal is aborted: then nothing that it gives is wanted any more. */
export type Turn = (signal: AbortSignal) => Promise<void>;

interface Wish {
  readonly run: Turn;
  /** When it was wished for, in ms since 1970. */
  readonly since_ms: number;
}

/** The parts that run or wait, each with when it was wished for, in ms since 1970. */
export type UnderWay<Part> = ReadonlyMap<Part, number>;

/**
 * Runs what several parts wish for, one at a time, since what they ask of a trace is answered one after the other. The newest wish of
 * a part takes the place of the one before. A part goes before those that are named after it: theirs is broken off, and runs again.
 */
export class Turns<Part extends string> {
  readonly #parts: readonly Part[];
  readonly #onChange: (underWay: UnderWay<Part>) => void;
  readonly #wishes = new Map<Part, Wish>();
  #running: { readonly part: Part; readonly wish: Wish; readonly abort: AbortController } | null = null;

  /** `onChange` is told what runs or waits, each time that it changes. */
  constructor(parts: readonly Part[], onChange: (underWay: UnderWay<Part>) => void) {
    this.#parts = parts;
    this.#onChange = onChange;
  }

  /** Wishes for a turn of a part; null: for none. What runs for the part is broken off. */
  want(part: Part, run: Turn | null): void {
    if (run === null) this.#wishes.delete(part);
    else this.#wishes.set(part, { run, since_ms: Date.now() });
    const running = this.#running;
    if (running?.part === part) running.abort.abort();
    else if (running !== null && run !== null && this.#rank(part) < this.#rank(running.part)) {
      // What was given up before is not taken up again.
      const isWanted = !running.abort.signal.aborted && !this.#wishes.has(running.part);
      if (isWanted) this.#wishes.set(running.part, running.wish);
      running.abort.abort();
    }
    this.#changed();
    if (running === null) void this.#go();
  }

  #rank(part: Part): number {
    return this.#parts.indexOf(part);
  }

  #changed(): void {
    const underWay = new Map([...this.#wishes].map(([part, { since_ms }]) => [part, since_ms]));
    if (this.#running !== null && !this.#running.abort.signal.aborted)
      underWay.set(this.#running.part, this.#running.wish.since_ms);
    this.#onChange(underWay);
  }

  async #go(): Promise<void> {
    for (;;) {
      const part = this.#parts.find((each) => this.#wishes.has(each));
      const wish = part === undefined ? undefined : this.#wishes.get(part);
      if (part === undefined || wish === undefined) break;
      this.#wishes.delete(part);
      const abort = new AbortController();
      this.#running = { part, wish, abort };
      this.#changed();
      await wish.run(abort.signal);
    }
    this.#running = null;
    this.#changed();
  }
}

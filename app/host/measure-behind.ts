/** So long no picture was loaded: whoever looks at a trace now reads. */
const QUIET_MS = 2_000;

/**
 * Measures a trace for comparisons once its first picture is there, so that a comparison finds it measured. Pictures come first: it
 * begins when none was loaded for a while, and waits where one is loaded meanwhile.
 */
export class MeasureBehind {
  readonly #measure: (turn: () => Promise<void>, signal: AbortSignal) => Promise<unknown>;
  readonly #quietMs: number;
  readonly #ended = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #hasBegun = false;
  /** How many pictures are being loaded. */
  #loading = 0;
  readonly #waiting: (() => void)[] = [];

  /** `measure` does it, once; it waits for its `turn` before each thing that it asks of the trace. */
  constructor(
    measure: (turn: () => Promise<void>, signal: AbortSignal) => Promise<unknown>,
    quietMs = QUIET_MS,
  ) {
    this.#measure = measure;
    this.#quietMs = quietMs;
  }

  /** Loads a picture. */
  async first<T>(load: () => Promise<T>): Promise<T> {
    this.#loading++;
    this.#stopWaiting();
    try {
      return await load();
    } finally {
      this.#loading--;
      if (this.#loading === 0) this.#rest();
    }
  }

  /** Ends all work: the trace is no longer looked at. */
  end(): void {
    this.#ended.abort();
    this.#stopWaiting();
    for (const go of this.#waiting.splice(0)) go();
  }

  #rest(): void {
    for (const go of this.#waiting.splice(0)) go();
    if (this.#hasBegun || this.#ended.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#hasBegun = true;
      // Without it a comparison measures the trace itself.
      this.#measure(() => this.#turn(), this.#ended.signal).catch(() => undefined);
    }, this.#quietMs);
    this.#timer.unref();
  }

  #stopWaiting(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #turn(): Promise<void> {
    while (this.#loading > 0 && !this.#ended.signal.aborted)
      await new Promise<void>((go) => this.#waiting.push(go));
    this.#ended.signal.throwIfAborted();
  }
}

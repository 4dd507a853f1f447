/** Answers of the latest queries, by their text: a trace does not change, so that neither do they. */
export class QueryCache {
  readonly #limitBytes: number;
  /** In the order of last use. */
  readonly #answers = new Map<string, Uint8Array>();
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get(sql: string): Uint8Array | null {
    const bytes = this.#answers.get(sql);
    if (bytes === undefined) return null;
    this.#answers.delete(sql);
    this.#answers.set(sql, bytes);
    return bytes;
  }

  /** Keeps an answer, unless it is so large that it would push out most others. */
  set(sql: string, bytes: Uint8Array): void {
    if (this.#answers.has(sql) || costOf(sql, bytes) > this.#limitBytes / 8) return;
    this.#answers.set(sql, bytes);
    this.#sizeBytes += costOf(sql, bytes);
    for (const [oldest, answer] of this.#answers) {
      if (this.#sizeBytes <= this.#limitBytes) return;
      this.#answers.delete(oldest);
      this.#sizeBytes -= costOf(oldest, answer);
    }
  }
}

/** What an entry takes, with what a map takes for it. */
const costOf = (sql: string, bytes: Uint8Array): number => 2 * sql.length + bytes.length + 200;

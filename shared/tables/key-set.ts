/** Keys, which are small whole numbers. Of millions of rows this is asked faster than a `Set`. */
export class KeySet {
  /** By key: 1 for those that are in it. */
  readonly #flags: Uint8Array;

  constructor(keys: Iterable<number>) {
    const all = [...keys];
    let most = -1;
    for (const key of all) if (key > most) most = key;
    this.#flags = new Uint8Array(most + 1);
    for (const key of all) this.#flags[key] = 1;
  }

  /** One more than the largest key. */
  get end(): number {
    return this.#flags.length;
  }

  has(key: number): boolean {
    // A look-up by a small integer, and never beyond the end: code that meets anything else is compiled anew, and slower.
    const at = key | 0;
    return at < this.#flags.length && this.#flags[at] === 1;
  }
}

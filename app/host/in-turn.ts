/** Work that is done one after another, so that each reads what the one before wrote. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  /** Does a work once those before are done, even if one of them failed. */
  do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

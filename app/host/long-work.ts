/** Long work that its callers may abort, and that the end of a host aborts. */
export class LongWork {
  readonly #running = new Set<AbortController>();

  /** Does work with a signal that aborts when that of `given` does, or at {@link abortAll}. */
  async run<O extends { readonly signal?: AbortSignal }, T>(
    given: O,
    work: (options: O & { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    given.signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    given.signal?.addEventListener('abort', abort);
    this.#running.add(controller);
    try {
      return await work({ ...given, signal: controller.signal });
    } finally {
      this.#running.delete(controller);
      given.signal?.removeEventListener('abort', abort);
    }
  }

  abortAll(): void {
    for (const controller of this.#running) controller.abort();
  }
}

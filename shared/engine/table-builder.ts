import { withIncluded } from '../sql/modules.ts';
import type { Query } from './engine.ts';

/** How far the tables are that were asked for. */
export interface TablesProgress {
  /** The module that is being built; null when all are. */
  readonly building: string | null;
  readonly built: ReadonlySet<string>;
}

interface Wish {
  readonly modules: readonly string[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Builds modules of the package `etw` in an engine, one query each, so that other queries come in between. What was asked
 * for last is built first.
 */
export class TableBuilder {
  readonly #query: Query;
  readonly #onProgress: (progress: TablesProgress) => void;
  readonly #built = new Set<string>();
  #wishes: Wish[] = [];
  #running = false;

  constructor(query: Query, onProgress: (progress: TablesProgress) => void) {
    this.#query = query;
    this.#onProgress = onProgress;
  }

  /** Resolves when these modules, and what they include, are built. */
  need(modules: readonly string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wishes.unshift({ modules: withIncluded(modules), resolve, reject });
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    for (let wish = this.#wishes[0]; wish !== undefined; wish = this.#wishes[0]) {
      const next = wish.modules.find((module) => !this.#built.has(module));
      if (next === undefined) {
        this.#wishes.shift();
        wish.resolve();
        continue;
      }
      this.#onProgress({ building: next, built: new Set(this.#built) });
      try {
        await this.#query(`INCLUDE PERFETTO MODULE ${next};`);
        this.#built.add(next);
      } catch (error) {
        for (const wish of this.#wishes.splice(0)) wish.reject(error);
      }
    }
    this.#running = false;
    this.#onProgress({ building: null, built: new Set(this.#built) });
  }
}

import { modulesNamedIn } from '../sql/modules.ts';
import type { TraceProcessor } from './processor.ts';

/** Queries of one loaded trace, for which the modules of the package `etw` are built when SQL first names their tables. */
export class EtwTables {
  readonly #processor: TraceProcessor;
  readonly #built = new Set<string>();

  constructor(processor: TraceProcessor) {
    this.#processor = processor;
  }

  /** Runs SQL as {@link TraceProcessor.query} does. */
  query(sql: string, onPart?: (bytes: Uint8Array<ArrayBuffer>) => void): Uint8Array<ArrayBuffer> {
    for (const module of modulesNamedIn(sql)) {
      if (this.#built.has(module)) continue;
      this.#processor.query(`INCLUDE PERFETTO MODULE ${module};`);
      this.#built.add(module);
    }
    return this.#processor.query(sql, onPart);
  }
}

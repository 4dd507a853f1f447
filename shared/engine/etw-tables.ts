import { etwModules } from '../sql/index.ts';
import { hidesColumns, modulesNamedIn, outlineModules, withoutIncludes } from '../sql/modules.ts';
import type { TraceProcessor } from './processor.ts';

/** Queries of one loaded trace, for which the modules of the package `etw` are built when SQL first names their tables. */
export class EtwTables {
  readonly #processor: TraceProcessor;
  readonly #built = new Set<string>();
  readonly #hasColumns: boolean;

  /** Makes the package known. `hasColumns`: scheduling is lent in columns, and no module builds its tables. */
  constructor(processor: TraceProcessor, hasColumns = false) {
    this.#processor = processor;
    this.#hasColumns = hasColumns;
    processor.register('etw', hasColumns ? outlineModules : etwModules);
  }

  /** Runs SQL as {@link TraceProcessor.query} does. */
  query(sql: string, onPart?: (bytes: Uint8Array<ArrayBuffer>) => void): Uint8Array<ArrayBuffer> {
    for (const module of modulesNamedIn(sql)) {
      if (this.#built.has(module) || (this.#hasColumns && hidesColumns(module))) continue;
      this.#processor.query(`INCLUDE PERFETTO MODULE ${module};`);
      this.#built.add(module);
    }
    const asked = this.#hasColumns ? withoutIncludes(sql, hidesColumns) : sql;
    return this.#processor.query(asked, onPart);
  }
}

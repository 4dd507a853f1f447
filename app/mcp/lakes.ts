import { basename } from 'node:path';
import { readLake, type LakeReader } from '../fleet/index.ts';
import { QuestionError } from '../questions/question-error.ts';
import { findIn, offer, type Allowed } from './allowed.ts';

/** What DuckDB may take; beyond that it uses temporary files. */
const MEMORY_BYTES = 1 << 30;

/** An open lake. */
export interface AskedLake {
  /** Its name, without the folders above it. */
  readonly name: string;
  readonly reader: LakeReader;
}

/** The lakes that tools may ask. */
export class Lakes {
  readonly #allowed: Allowed;

  constructor(allowed: Allowed) {
    this.#allowed = allowed;
  }

  /** Has `use` ask a lake, as it is listed now. Aborting ends what is asked. */
  async ask<T>(
    name: string | undefined,
    signal: AbortSignal,
    use: (lake: AskedLake) => Promise<T>,
  ): Promise<T> {
    const address = await this.#addressOf(name);
    return readLake(address, { memoryBytes: MEMORY_BYTES, signal }, (reader) =>
      use({ name: basename(address), reader }),
    );
  }

  async #addressOf(name: string | undefined): Promise<string> {
    const { lakes, folders } = this.#allowed;
    const offered = offer(
      lakes.map((lake) => basename(lake)),
      folders,
      'no --lake LAKE and no --allow FOLDER',
    );
    const [only, ...more] = lakes;
    if (name === undefined) {
      if (only !== undefined && more.length === 0) return only;
      throw new QuestionError(`lake is missing: ${offered}`);
    }
    const found =
      lakes.find((lake) => lake === name || basename(lake) === name) ?? (await findIn(folders, name));
    if (found === null) throw new QuestionError(`no such lake may be asked: ${offered}`);
    return found;
  }
}

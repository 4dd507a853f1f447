import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InTurn } from './in-turn.ts';

/** A short list in a JSON file, newest first. A file that cannot be read counts as an empty list. */
export class JsonList<T> {
  readonly #file: string;
  readonly #readItems: (value: unknown) => readonly T[] | null;
  readonly #most: number;
  readonly #changes = new InTurn();

  /** `readItems` checks what the file holds; of more than `most` items the oldest are dropped. */
  constructor(file: string, readItems: (value: unknown) => readonly T[] | null, most: number) {
    this.#file = file;
    this.#readItems = readItems;
    this.#most = most;
  }

  async list(): Promise<readonly T[]> {
    try {
      return this.#readItems(JSON.parse(await readFile(this.#file, 'utf8'))) ?? [];
    } catch {
      return [];
    }
  }

  /** Puts an item first, in the place of those that are the same. */
  add(item: T, isSame: (other: T) => boolean): Promise<void> {
    return this.#changes.do(async () => {
      const others = (await this.list()).filter((other) => !isSame(other));
      const partial = `${this.#file}.${randomBytes(8).toString('hex')}`;
      await mkdir(dirname(this.#file), { recursive: true });
      await writeFile(partial, JSON.stringify([item, ...others].slice(0, this.#most), null, 1));
      await rename(partial, this.#file);
    });
  }
}

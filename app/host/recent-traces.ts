import { randomBytes } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RecentTrace } from './api.ts';
import { readRecentTraces } from './protocol.ts';

const MOST_RECENT = 20;

/** The traces opened before, in a JSON file. A file that cannot be read counts as an empty list. */
export class RecentTraces {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The traces that are still there, newest first. */
  async list(): Promise<RecentTrace[]> {
    const traces = await this.#read();
    const there = await Promise.all(
      traces.map(({ path, with: others = [] }) =>
        Promise.all([path, ...others].map((each) => access(each))).then(
          () => true,
          () => false,
        ),
      ),
    );
    return traces.filter((_, index) => there[index]);
  }

  /** Puts a trace first. */
  async add(trace: RecentTrace): Promise<void> {
    const others = (await this.#read()).filter(({ path }) => path !== trace.path);
    const partial = `${this.#file}.${randomBytes(8).toString('hex')}`;
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(partial, JSON.stringify([trace, ...others].slice(0, MOST_RECENT), null, 1));
    await rename(partial, this.#file);
  }

  async #read(): Promise<RecentTrace[]> {
    try {
      return readRecentTraces(JSON.parse(await readFile(this.#file, 'utf8'))) ?? [];
    } catch {
      return [];
    }
  }
}

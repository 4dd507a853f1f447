import { access } from 'node:fs/promises';
import type { RecentTrace } from './api.ts';
import { JsonList } from './json-list.ts';
import { readRecentTraces } from './protocol.ts';

const MOST_RECENT = 20;

/** The traces opened before, in a JSON file. */
export class RecentTraces {
  readonly #traces: JsonList<RecentTrace>;

  constructor(file: string) {
    this.#traces = new JsonList(file, readRecentTraces, MOST_RECENT);
  }

  /** The traces that are still there, newest first. */
  async list(): Promise<RecentTrace[]> {
    const traces = await this.#traces.list();
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
  add(trace: RecentTrace): Promise<void> {
    return this.#traces.add(trace, ({ path }) => path === trace.path);
  }
}

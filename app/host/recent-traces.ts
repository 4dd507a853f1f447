import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import type { RecentTrace } from './api.ts';
import type { TraceFile } from './identify.ts';
import { JsonList } from './json-list.ts';
import { WHOLE } from './part.ts';
import { readRecentTraces } from './protocol.ts';
import type { FetchedTraces } from './remote/fetched-traces.ts';

const MOST_RECENT = 20;

/** The traces opened before, in a JSON file, and those that were fetched. */
export class RecentTraces {
  readonly #traces: JsonList<RecentTrace>;
  readonly #fetched: FetchedTraces;

  constructor(file: string, fetched: FetchedTraces) {
    this.#traces = new JsonList(file, readRecentTraces, MOST_RECENT);
    this.#fetched = fetched;
  }

  /** The opened traces that are still there, newest first; then those that were fetched alone. */
  async list(): Promise<readonly RecentTrace[]> {
    const opened = await this.#stillThere();
    const others = (await this.#fetched.list()).filter(({ path }) =>
      opened.every((each) => each.path !== path),
    );
    const unopened = others.map(({ usedAtMs, ...each }) => ({
      ...each,
      name: basename(each.path),
      openedAtMs: usedAtMs,
    }));
    return [...opened, ...unopened];
  }

  /** Puts a trace first. */
  add({ part, others, ...known }: TraceFile): Promise<void> {
    const trace: RecentTrace = {
      ...known,
      ...(others.length === 0 ? {} : { with: others }),
      ...(part === WHOLE ? {} : { part }),
      openedAtMs: Date.now(),
    };
    return this.#traces.add(trace, ({ path }) => path === trace.path);
  }

  async #stillThere(): Promise<readonly RecentTrace[]> {
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
}

import type { Things } from '../../../shared/compare/things.ts';
import { grown, PairNumbers, type Batch, type Tables } from '../../../shared/tables/index.ts';
import type { LakeRow } from '../tables.ts';
import { processName, threadName } from './names.ts';

/** More priorities than Windows has. */
const PRIORITIES = 1 << 8;

/** Sums CPU time by thread class, rank and priority, of sums by step of time: these are fewer than runs. */
export async function summariseRuns(tables: Tables, things: Things): Promise<readonly LakeRow<'run'>[]> {
  const groups = new RunGroups(things);
  for await (const batch of tables.batches('etw_cpu_time', COLUMNS)) groups.add(batch);
  return groups.rows();
}

const COLUMNS = ['utid', 'rank', 'priority', 'ran_ns', 'switches'] as const;

/** Runs of one thread class, rank and priority, summed up in columns. */
class RunGroups {
  readonly #things: Things;
  /** Thread classes, with rank and priority as one number: of each one more, 0 where it is not known. */
  readonly #groups = new PairNumbers();
  #runs = new Uint32Array(1 << 10);
  #cpu_ns = new Float64Array(1 << 10);

  constructor(things: Things) {
    this.#things = things;
  }

  add({ rowCount, columns }: Batch<(typeof COLUMNS)[number]>): void {
    const ran_ns = columns.ran_ns.values;
    const switches = columns.switches.values;
    const utids = columns.utid.values;
    const ranks = columns.rank.values;
    const hasRank = columns.rank.present;
    const priorities = columns.priority.values;
    const hasPriority = columns.priority.present;
    for (let row = 0; row < rowCount; row++) {
      const utid = (utids[row] ?? 0) | 0;
      if (utid === 0) continue;
      const rank = hasRank !== null && hasRank[row] === 0 ? 0 : (ranks[row] ?? 0) + 1;
      const priority = hasPriority !== null && hasPriority[row] === 0 ? 0 : (priorities[row] ?? 0) + 1;
      const group = this.#groups.of(this.#things.threadOf(utid), rank * PRIORITIES + priority);
      if (group >= this.#runs.length) this.#grow(2 * group);
      this.#runs[group] = (this.#runs[group] ?? 0) + (switches[row] ?? 0);
      this.#cpu_ns[group] = (this.#cpu_ns[group] ?? 0) + (ran_ns[row] ?? 0);
    }
  }

  rows(): readonly LakeRow<'run'>[] {
    return Array.from({ length: this.#groups.count }, (_, group) => {
      const thread = this.#groups.first(group);
      const known = this.#groups.second(group);
      const [rank, priority] = [Math.floor(known / PRIORITIES), known % PRIORITIES];
      return {
        process: processName(this.#things, thread),
        thread: threadName(this.#things, thread),
        rank: rank === 0 ? null : rank - 1,
        priority: priority === 0 ? null : priority - 1,
        runs: this.#runs[group] ?? 0,
        cpu_ns: this.#cpu_ns[group] ?? 0,
      };
    });
  }

  #grow(length: number): void {
    this.#runs = grown(this.#runs, new Uint32Array(length));
    this.#cpu_ns = grown(this.#cpu_ns, new Float64Array(length));
  }
}

import { numberAt, type Tables } from '../tables/index.ts';
import type { Blocks } from './blocks.ts';
import type { Measured } from './measure.ts';
import type { Things } from './things.ts';

/** How many processes of a class start and exit, by block. */
export interface Lives {
  /** The process class, by its number. */
  readonly process: number;
  readonly starts: Float64Array;
  readonly exits: Float64Array;
}

/** Counts the starts and exits of processes in the range; of classes without any nothing is told. */
export async function countLives(tables: Tables, blocks: Blocks, things: Things): Promise<readonly Lives[]> {
  const { start, end } = blocks.range;
  const found = new Map<number, Lives>();
  const none = () => new Float64Array(blocks.count);
  for await (const { rowCount, columns } of tables.batches('etw_process', ['upid', 'create_ts', 'exit_ts']))
    for (let row = 0; row < rowCount; row++)
      for (const [what, ts] of [
        ['starts', numberAt(columns.create_ts, row)],
        ['exits', numberAt(columns.exit_ts, row)],
      ] as const) {
        if (ts === null || ts < start || ts >= end) continue;
        const process = things.processOf(columns.upid.values[row] ?? 0);
        const lives = found.get(process) ?? { process, starts: none(), exits: none() };
        found.set(process, lives);
        const block = blocks.at(ts);
        lives[what][block] = (lives[what][block] ?? 0) + 1;
      }
  return [...found.values()];
}

type WithLives = Pick<Measured, 'name' | 'lives' | 'recorded'>;

/** Why starts and exits cannot be compared, as a sentence; null where they can, or no trace has any. */
export function whyNoLives(a: readonly WithLives[], b: readonly WithLives[]): string | null {
  if (![...a, ...b].some(({ lives }) => lives.length > 0)) return null;
  for (const [side, traces] of [
    ['A', a],
    ['B', b],
  ] as const) {
    const lacking = traces.find(({ recorded: { held } }) => !held.has('processes'));
    if (lacking !== undefined)
      return `Not compared: starts and exits of processes. ${side} (${lacking.name}) has no events of processes.`;
  }
  return null;
}

import {
  CountedLengths,
  eachEpisode,
  WAKE_COLUMNS,
  wakeLengths,
  wakeParts,
  type Delay,
  type EpisodeKind,
} from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { dataOf, numberAt, type Stretch, type Tables } from '../tables/index.ts';

/** An episode that is divided. */
export interface Episode extends Delay {
  /** The CPU that the thread waited for, where the episode ends with a switch-in; null elsewhere. */
  readonly cpu: number | null;
}

/** The episodes of one kind in a range, in parts: of millions all are counted, and few are read as a whole. */
export interface EpisodeParts {
  /** How long the episodes of each part are. */
  readonly lengths: readonly CountedLengths[];
  /** Reads parts by their numbers. */
  read(parts: ReadonlySet<number>, look: LookAtPart): Promise<void>;
}

/**
 * Is given a part by its number, a stretch of its rows after the other: how long the episode of each is, NaN where there is none, and what
 * gives that episode. False where it wants no more of the part.
 */
export type LookAtPart = (
  part: number,
  lengths: Float64Array,
  episodeAt: (at: number) => Episode | undefined,
) => boolean;

/** So many rows are looked at at once. */
const ROWS_AT_ONCE = 4096;

/** The episodes of a kind. */
export function episodeParts(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeParts> {
  return kind === 'wake' ? wakes(dataOf(query).tables, range) : listed(query, range, kind);
}

/** Of other kinds there are few enough for a list, which is the only part. */
async function listed(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeParts> {
  const all: Episode[] = [];
  await eachEpisode(query, range, [kind], (_, utid, ts, te, cpu) => all.push({ utid, ts, te, cpu }));
  const lengths = Float64Array.from(all, ({ ts, te }) => te - ts);
  return {
    lengths: [new CountedLengths(lengths.slice().sort())],
    read(_, look) {
      look(0, lengths, (row) => all[row]);
      return Promise.resolve();
    },
  };
}

/** A part is a batch of ready waits. */
async function wakes(tables: Tables, range: Stretch): Promise<EpisodeParts> {
  const all = await wakeParts(tables, range);
  return {
    lengths: all.map((part) => part.lengths),
    async read(parts, look) {
      const numbers = new Map([...parts].map((part) => [all[part]?.firstRow, part]));
      const leftOut = { has: (firstRow: number) => !numbers.has(firstRow) };
      const columns = [...WAKE_COLUMNS, 'utid', 'cpu'] as const;
      const room = new Float64Array(ROWS_AT_ONCE);
      for await (const batch of tables.batches('etw_ready_wait', columns, range, undefined, leftOut)) {
        const { ts, te, utid, cpu } = batch.columns;
        const part = numbers.get(batch.firstRow) ?? 0;
        let goesOn = true;
        for (let first = 0; goesOn && first < batch.rowCount; first += ROWS_AT_ONCE) {
          const lengths = room.subarray(0, batch.rowCount - first);
          wakeLengths(batch, range, lengths, first);
          goesOn = look(part, lengths, (at) => ({
            utid: utid.values[first + at] ?? 0,
            ts: ts.values[first + at] ?? 0,
            te: te.values[first + at] ?? 0,
            cpu: numberAt(cpu, first + at),
          }));
        }
      }
    },
  };
}

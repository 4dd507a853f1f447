import {
  eachEpisode,
  Numbers,
  WAKE_COLUMNS,
  wakeLengths,
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

/** The episodes of one kind in a range, by rows: of millions all are measured, and few are read as a whole. */
export interface EpisodeRows {
  /** By row: how long its episode is, in ns; NaN where it has none. */
  readonly lengths: Float64Array;
  /** The episodes of some rows, which ascend. */
  at(rows: Uint32Array): Promise<Episode[]>;
}

/** Measures the episodes of a kind. */
export function episodeRows(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeRows> {
  return kind === 'wake' ? wakeRows(dataOf(query).tables, range) : listed(query, range, kind);
}

/** Of other kinds there are few enough for a list. */
async function listed(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeRows> {
  const all: Episode[] = [];
  await eachEpisode(query, range, [kind], (_, utid, ts, te, cpu) => all.push({ utid, ts, te, cpu }));
  return {
    lengths: Float64Array.from(all, ({ ts, te }) => te - ts),
    at: (rows) => Promise.resolve([...rows].flatMap((row) => all[row] ?? [])),
  };
}

/** A row is a ready wait of the batches that the range touches. */
async function wakeRows(tables: Tables, range: Stretch): Promise<EpisodeRows> {
  const lengths = new Numbers(await tables.rowCount('etw_ready_wait'));
  for await (const batch of tables.batches('etw_ready_wait', WAKE_COLUMNS, range))
    wakeLengths(batch, range, lengths.room(batch.rowCount));
  return {
    lengths: lengths.values(),
    async at(rows) {
      const found: Episode[] = [];
      let first = 0;
      for await (const { rowCount, columns } of tables.batches('etw_ready_wait', READ, range)) {
        const { utid, ts, te, cpu } = columns;
        while ((rows[found.length] ?? Infinity) < first + rowCount) {
          const row = (rows[found.length] ?? 0) - first;
          const [begin, end] = [ts.values[row] ?? 0, te.values[row] ?? 0];
          found.push({ utid: utid.values[row] ?? 0, ts: begin, te: end, cpu: numberAt(cpu, row) });
        }
        first += rowCount;
      }
      return found;
    },
  };
}

const READ = ['ts', 'te', 'utid', 'cpu'] as const;

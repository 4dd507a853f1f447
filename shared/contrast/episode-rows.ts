import {
  eachEpisode,
  Numbers,
  WAKE_COLUMNS,
  wakeLengths,
  type Delay,
  type EpisodeKind,
} from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { dataOf, filled, numberAt, visitRowsEnding, type Stretch, type Tables } from '../tables/index.ts';

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

/** A row is a ready wait, counted from the first one of the batches that the range touches. */
async function wakeRows(tables: Tables, range: Stretch): Promise<EpisodeRows> {
  const lengths = new Numbers(await tables.rowCount('etw_ready_wait'));
  let first: number | null = null;
  let read = 0;
  for await (const batch of tables.batches('etw_ready_wait', WAKE_COLUMNS, range)) {
    first ??= batch.firstRow;
    // Batches between may lie outside the range.
    lengths.room(batch.firstRow - first - read).fill(NaN);
    wakeLengths(batch, range, lengths.room(batch.rowCount));
    read = batch.firstRow + batch.rowCount - first;
  }
  return {
    lengths: lengths.values(),
    at: (rows) =>
      wakesAt(
        tables,
        range,
        filled(new Uint32Array(rows), (at) => (rows[at] ?? 0) + (first ?? 0)),
      ),
  };
}

/** The episodes of some ready waits of a range, by their rows in the table, which ascend. */
async function wakesAt(tables: Tables, range: Stretch, rows: Uint32Array): Promise<Episode[]> {
  const ends: number[] = [];
  for await (const { firstRow, rowCount, columns } of tables.batches('etw_ready_wait', ['te'], range)) {
    const isHere = () => (rows[ends.length] ?? Infinity) < firstRow + rowCount;
    while (isHere()) ends.push(columns.te.values[(rows[ends.length] ?? 0) - firstRow] ?? 0);
  }
  const found: Episode[] = [];
  const times = Float64Array.from(ends);
  await visitRowsEnding(tables, 'etw_ready_wait', READ, times, ({ firstRow, columns }, row) => {
    if (firstRow + row !== rows[found.length]) return;
    const { utid, ts, te, cpu } = columns;
    found.push({
      utid: utid.values[row] ?? 0,
      ts: ts.values[row] ?? 0,
      te: te.values[row] ?? 0,
      cpu: numberAt(cpu, row),
    });
  });
  return found;
}

const READ = ['ts', 'utid', 'cpu'] as const;

import {
  CountedLengths,
  eachEpisode,
  firstWhere,
  stretchOfBlock,
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

/** The episodes of one kind in a range, in parts, each in blocks of rows: of millions all are counted, and few are read. */
export interface EpisodeParts {
  /** How long the episodes of each part are. */
  readonly lengths: readonly CountedLengths[];
  /** Reads blocks. */
  read(blocks: PartBlocks, look: LookAtBlock): Promise<void>;
}

/** Blocks, by the numbers of their parts; both ascend. */
export type PartBlocks = ReadonlyMap<number, readonly number[]>;

/**
 * Is given the rows of a block, perhaps one stretch of them after the other: how long the episode of each is, NaN where there is none, and
 * what gives that episode.
 */
export type LookAtBlock = (
  part: number,
  block: number,
  lengths: Float64Array,
  episodeAt: (at: number) => Episode | undefined,
) => void;

/** The episodes of a kind. */
export function episodeParts(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeParts> {
  return kind === 'wake' ? wakeEpisodes(dataOf(query).tables, range) : listed(query, range, kind);
}

/** Of other kinds there are few enough for a list, which is the only block. */
async function listed(query: Query, range: Stretch, kind: EpisodeKind): Promise<EpisodeParts> {
  const all: Episode[] = [];
  await eachEpisode(query, range, [kind], (_, utid, ts, te, cpu) => all.push({ utid, ts, te, cpu }));
  const lengths = Float64Array.from(all, ({ ts, te }) => te - ts);
  return {
    lengths: [new CountedLengths(lengths.slice().sort())],
    read(_, look) {
      look(0, 0, lengths, (row) => all[row]);
      return Promise.resolve();
    },
  };
}

/** The wakes of a range. A part is a batch of ready waits. */
export async function wakeEpisodes(
  tables: Tables,
  range: Stretch,
  keptBytes?: number,
): Promise<EpisodeParts> {
  const all = await wakeParts(tables, range, keptBytes);
  return {
    lengths: all.map((part) => part.lengths),
    async read(blocks, look) {
      const partOf = (row: number) => firstWhere(all.length, (at) => (all[at]?.firstRow ?? 0) > row) - 1;
      const leftOut = { has: (firstRow: number) => !blocks.has(partOf(firstRow)) };
      const stretches = [...blocks].flatMap(([number, of]) => {
        const part = all[number];
        return part === undefined ? [] : of.map((block) => stretchOfBlock(part, block));
      });
      // Rows are in the order of their ends, but where events were lost.
      stretches.sort((a, b) => a.start - b.start);
      const columns = [...WAKE_COLUMNS, 'utid', 'cpu'] as const;
      for await (const batch of tables.batches('etw_ready_wait', columns, stretches, 'part', leftOut)) {
        const { ts, te, utid, cpu } = batch.columns;
        const number = partOf(batch.firstRow);
        const { firstRow = 0, blockRows = 0 } = all[number] ?? {};
        const before = batch.firstRow - firstRow;
        for (const block of blocks.get(number) ?? []) {
          const first = Math.max(0, block * blockRows - before);
          const last = Math.min(batch.rowCount, (block + 1) * blockRows - before);
          if (first >= last) continue;
          const lengths = new Float64Array(last - first);
          wakeLengths(batch, range, lengths, first);
          look(number, block, lengths, (at) => ({
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

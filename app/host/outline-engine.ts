import { makeQuery, type Engine } from '../../shared/engine/index.ts';
import { etwNamesIn } from '../../shared/sql/modules.ts';
import { arrowTables, type ReadBatch, type TableInfo } from '../../shared/tables/index.ts';
import { judgeRanks, type JudgedRank } from '../../shared/why-late/columns/index.ts';
import judgedRanksSql from './judged-ranks.sql';
import judgedWaitsSql from './judged-waits.sql';

const READY_WAITS = ['etw_ready_wait', 'etw_ready_wait_rank'];

/** Where scheduling is read beside an outline. */
export interface OutlineColumns {
  readonly infos: readonly TableInfo[];
  /** Columns of a batch, packed; rejects or throws where they cannot be read. */
  read(...which: Parameters<ReadBatch>): Uint8Array | Promise<Uint8Array>;
}

/** Where judged ranks are kept, so that another process need not judge them again. */
export interface KeptRanks {
  /** Null where none are kept. */
  get(): Promise<readonly JudgedRank[] | null>;
  /** Does not wait, and does not fail: what cannot be kept is judged again. */
  put(ranks: readonly JudgedRank[]): void;
}

/**
 * An engine that holds an outline and reads scheduling in columns. Columns do not say at which rank a thread waited whose rank changed:
 * that is judged when SQL first names ready waits.
 */
export function outlineEngine(engine: Engine, columns: OutlineColumns, kept?: KeptRanks): Engine {
  let judged: Promise<void> | null = null;

  async function judge(): Promise<void> {
    const outline = makeQuery((sql) => engine.query(sql));
    let ranks = (await kept?.get()) ?? null;
    if (ranks === null) {
      const tables = arrowTables(columns.infos, (...which) => Promise.resolve(columns.read(...which)));
      ranks = await judgeRanks(tables);
      kept?.put(ranks);
    }
    await outline(judgedRanksSql, { judged: JSON.stringify(ranks) });
    await outline(judgedWaitsSql);
  }

  async function prepare(sql: string): Promise<void> {
    const names = etwNamesIn(sql);
    if (!READY_WAITS.some((name) => names.includes(name))) return;
    judged ??= judge();
    try {
      await judged;
    } catch (error) {
      judged = null;
      throw error;
    }
  }

  return {
    load: (...given) => engine.load(...given),
    async query(sql) {
      await prepare(sql);
      return engine.query(sql);
    },
    async queryInParts(sql, onPart) {
      await prepare(sql);
      await engine.queryInParts(sql, onPart);
    },
    end: () => engine.end(),
  };
}

import { toNumber, type Query } from '../../shared/engine/index.ts';
import { boundsOf } from '../../shared/recording/index.ts';
import type { ChainRows } from './chain-rows.ts';
import chosenSql from './chosen.sql';
import linkSql from './link.sql';
import longestSql from './longest.sql';
import releasedSql from './released.sql';

/** The rows of chains by SQL, of a trace without columns. */
export function rowsBySql(query: Query): ChainRows {
  return {
    async longest({ start, end }) {
      const bounds = boundsOf({ start, end });
      const [longest] = (await query(longestSql, bounds)).rows();
      const [ts, tid] = [toNumber(longest?.ts), toNumber(longest?.tid)];
      return ts === null || tid === null ? null : { ts, tid };
    },
    async run({ ts, tid }) {
      const [run] = (await query(chosenSql, { ts, tid })).rows();
      return run;
    },
    async link(utid, until_ts) {
      const [link] = (await query(linkSql, { utid, until_ts })).rows();
      return link;
    },
    released: async (asked) => [...(await query(releasedSql, { ...asked })).rows()],
  };
}

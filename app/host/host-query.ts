import type { Query } from '../../shared/engine/index.ts';
import { traceQuery } from '../../shared/tables/index.ts';
import type { Host, OpenTrace } from './api.ts';

/** What a view is given to ask an open trace of a host with. */
export function hostQuery(host: Host, { id, tables }: Pick<OpenTrace, 'id' | 'tables'>): Query {
  const sql = (of: 'whole' | 'outline', text: string) =>
    of === 'whole' ? host.query(id, text) : host.queryOutline(id, text);
  return traceQuery({ sql, readTable: (...which) => host.readTable(id, ...which) }, tables);
}

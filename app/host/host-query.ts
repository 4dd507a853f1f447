import type { Query } from '../../shared/engine/index.ts';
import { traceQuery } from '../../shared/tables/index.ts';
import { askingBeside } from './model-source/ask-beside.ts';
import type { Host, OpenTrace } from './api.ts';

/** What a view is given to ask an open trace of a host with. */
export function hostQuery(
  host: Pick<Host, 'query' | 'queryOutline' | 'readTable' | 'models'>,
  { id, tables, hasSymbols, makesModels }: Pick<OpenTrace, 'id' | 'tables' | 'hasSymbols' | 'makesModels'>,
): Query {
  const sql = (of: 'whole' | 'outline', text: string) =>
    of === 'whole' ? host.query(id, text) : host.queryOutline(id, text);
  const models = makesModels === true ? host.models?.bind(host, id) : undefined;
  return traceQuery(
    {
      sql,
      readTable: (...which) => host.readTable(id, ...which),
      hasSymbols,
      askBeside: models === undefined ? undefined : askingBeside(models),
    },
    tables,
  );
}

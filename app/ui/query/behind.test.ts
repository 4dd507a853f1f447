import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bindSql, makeQuery, type Query } from '../../../shared/engine/index.ts';
import { readRules, shippedRules } from '../../../shared/findings/index.ts';
import { limitRows } from '../../../shared/sql-file/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { views } from '../../../views/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import { summariseTrace } from '../../host/trace-summary.ts';
import { noteAsked, sqlBehind } from './behind.ts';
import { dataOf } from '../../../shared/tables/index.ts';

/** The query page's own limit. */
const MAX_ROWS = 1_000_000;

describeReal('the SQL that is shown', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  let opened: Promise<Query> | null = null;
  /** The trace of a lock that was held for long, whose scenario is that of the demo `wmi`. */
  const open = () =>
    (opened ??= host
      .open(writeTrace(join(folder, 'wmi.etl'), 'wmi'), {})
      .then(({ id }) => makeQuery((sql) => host.query(id, sql))));

  test.each(views.map((view) => [view.id, view] as const))(
    'behind the view %s runs as it is',
    async (id, view) => {
      const query = await open();
      const summary = await summariseTrace(dataOf(query).tables);
      if (summary === null) throw new Error('no Windows trace');
      const ask: Query = (sql, bindings) => {
        noteAsked(id, sql, bindSql(sql, bindings ?? {}));
        return query(sql, bindings);
      };
      const params = readParams(view.params, {});
      const model = await view.load(ask, params, summary.range);
      await view.later?.load(ask, params, summary.range, model);
      const shown = sqlBehind(id);
      expect(shown).toMatch(/\bSELECT\b/);
      await query(limitRows(shown, MAX_ROWS).sql);
    },
  );

  // The library of queries offers those that take no measured table.
  const rules = readRules(shippedRules).rules.filter(({ measures }) => measures.length === 0);
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    'of the rule %s runs as it is',
    async (_, { select, threshold }) => {
      const query = await open();
      const result = await query(limitRows(bindSql(select, { threshold: threshold.value }), MAX_ROWS).sql);
      expect(result.columns).toContain('ts');
    },
  );
});

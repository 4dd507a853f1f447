import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bindSql, decodeQueryResult } from '../../shared/engine/index.ts';
import { readRules, shippedRules } from '../../shared/findings/index.ts';
import { limitRows, outlineAnswers } from '../../shared/sql-file/index.ts';
import { views } from '../../views/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { sqlOf } from '../../views/view-sql.ts';

/** The query page's own limit. */
const MAX_ROWS = 1_000_000;

/** Of these the trace has nothing to show. */
const EMPTY = [
  'cpu-sampled',
  'episodes',
  'focus-and-input',
  'frozen-processes',
  'io',
  'rank-history',
  'user-locks',
];

test('the SQL of views is answered by columns', () => {
  const range = { start: 0, end: 1 };
  expect(views.filter((view) => !outlineAnswers(sqlOf(view, range))).map(({ id }) => id)).toEqual([]);
});

describeReal('the SQL that is shown', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  let opened: ReturnType<typeof host.open> | null = null;
  /** Opens the trace of a lock that was held for long, whose scenario is that of the demo `wmi`. */
  const open = () => (opened ??= host.open(writeTrace(join(folder, 'wmi.etl'), 'wmi'), { columns: true }));

  test.each(views.map((view) => [view.id, view] as const))(
    'of the view %s runs as it is, on a part of the range too',
    async (id, view) => {
      const { id: trace, summary } = await open();
      if (summary === null) throw new Error('no Windows trace');
      const { start, end } = summary.range;
      const rowsOf = async (range: { start: number; end: number }) =>
        decodeQueryResult(await host.query(trace, limitRows(sqlOf(view, range), MAX_ROWS).sql));
      const all = await rowsOf({ start, end });
      expect(all.columns.length).toBeGreaterThan(1);
      expect(all.rowCount > 0, 'rows').toBe(!EMPTY.includes(id));
      const part = await rowsOf({ start, end: start + (end - start) / 10 });
      expect(part.rowCount).toBeLessThanOrEqual(all.rowCount);
    },
  );

  // The library of queries offers those that take no measured table.
  const rules = readRules(shippedRules).rules.filter(({ measures }) => measures.length === 0);
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    'of the rule %s runs as it is',
    async (_, { select, threshold }) => {
      const sql = limitRows(bindSql(select, { threshold: threshold.value }), MAX_ROWS).sql;
      const { id } = await open();
      expect(decodeQueryResult(await host.query(id, sql)).columns).toContain('ts');
    },
  );
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bindSql, decodeQueryResult, makeQuery, type Row } from '../../shared/engine/index.ts';
import { readRules, shippedRules } from '../../shared/findings/index.ts';
import { limitRows, outlineAnswers } from '../../shared/sql-file/index.ts';
import { readParams, type ParamSpec } from '../../shared/view/index.ts';
import { views } from '../../views/index.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { viewOf } from '../../app/cli/view.ts';
import { paramsIn, sqlOf } from '../../views/view-sql.ts';
import { FILTERED } from './view-sql/filtered.ts';
import { LEFT_OUT } from './view-sql/left-out.ts';

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

/** Each value of a choice, and one that is set of what else a param takes. */
function valuesOf(spec: ParamSpec): readonly unknown[] {
  switch (spec.type) {
    case 'choice':
      return spec.choices;
    case 'flag':
      return [true];
    case 'number':
      return [Math.max(1, spec.min ?? 1)];
    case 'text':
      return ['svchost', '1004', 'a_\'"\\%'];
  }
}

/** Params of a view: none, each of its values alone, and one value of each together. */
const paramsOf = ({ params }: (typeof views)[number]) => {
  const values = Object.entries(params).map(([name, spec]) => [name, valuesOf(spec)] as const);
  const alone = values.flatMap(([name, all]) => all.map((value) => ({ [name]: value })));
  const together = [0, -1].map((at) => Object.fromEntries(values.map(([name, all]) => [name, all.at(at)])));
  return [{}, ...alone, ...together].map((given) => readParams(params, given));
};

test('the SQL of views is answered by columns, whatever the filters', () => {
  const range = { start: 0, end: 1 };
  const others = views.filter((view) =>
    paramsOf(view).some((params) => !outlineAnswers(sqlOf(view, range, params))),
  );
  expect(others.map(({ id }) => id)).toEqual([]);
});

test.each(views.map((view) => [view.id, view] as const))(
  'each parameter of the view %s is in its SQL, or there is a reason',
  (id, view) => {
    const named = paramsIn(view);
    const others = Object.keys(view.params).filter((name) => !named.has(name));
    expect(others.sort()).toEqual(Object.keys(LEFT_OUT[id] ?? {}).sort());
  },
);

describeReal('the SQL that is shown', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const opened = new Map<string, ReturnType<typeof host.open>>();
  const open = async (scenario: string) => {
    const [name = ''] = scenario.split(' ');
    const path = () => writeTrace(join(folder, `${name}.etl`), ...scenario.split(' '));
    const opening = opened.get(scenario) ?? host.open(path(), { columns: true });
    opened.set(scenario, opening);
    const trace = await opening;
    if (trace.summary === null) throw new Error('no Windows trace');
    return { trace, id: trace.id, range: trace.summary.range };
  };

  // The trace of a lock that was held for long, whose scenario is that of the demo `wmi`.
  test.each(views.map((view) => [view.id, view] as const))(
    'of the view %s runs as it is, on a part of the range and with filters too',
    async (id, view) => {
      const { id: trace, range } = await open('wmi');
      const { start, end } = range;
      const rowsOf = async (part: typeof range, params = readParams(view.params, {})) =>
        decodeQueryResult(await host.query(trace, limitRows(sqlOf(view, part, params), MAX_ROWS).sql));
      const all = await rowsOf({ start, end });
      expect(all.columns.length).toBeGreaterThan(1);
      expect(all.rowCount > 0, 'rows').toBe(!EMPTY.includes(id));
      const part = await rowsOf({ start, end: start + (end - start) / 10 });
      expect(part.rowCount).toBeLessThanOrEqual(all.rowCount);
      const few = { start, end: start + (end - start) / 100 };
      for (const params of paramsOf(view))
        expect((await rowsOf(few, params)).columns.length).toBeGreaterThan(1);
    },
  );

  test.each(
    FILTERED.flatMap(({ filters, ...of }) => filters.map((given) => ({ ...of, given, id: of.view }))),
  )('of the view $id has with $given what the view has', async ({ id, scenario, given, told, ofRows }) => {
    const { trace, range } = await open(scenario);
    const view = viewOf(id);
    const query = makeQuery((sql) => host.query(trace.id, sql));
    const all = 'limit' in view.params ? { limit: 5000 } : {};
    const shown = async (filters: object) => {
      const params = readParams(view.params, { ...all, ...filters });
      const rows: Row[] = [...(await query(sqlOf(view, range, params))).rows()];
      const model = await view.load(hostQuery(host, trace), params, range);
      return { of_sql: ofRows(rows), of_view: told(model as never) };
    };
    const some = await shown(given);
    expect(some.of_sql).toEqual(some.of_view);
    expect(some.of_sql, 'the filter holds something back').not.toEqual((await shown({})).of_sql);
    expect(some.of_sql, 'the filter lets something through').not.toEqual(ofRows([]));
  });

  // The library of queries offers those that take no measured table.
  const rules = readRules(shippedRules).rules.filter(({ measures }) => measures.length === 0);
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    'of the rule %s runs as it is',
    async (_, { select, threshold }) => {
      const sql = limitRows(bindSql(select, { threshold: threshold.value }), MAX_ROWS).sql;
      const { id } = await open('wmi');
      expect(decodeQueryResult(await host.query(id, sql)).columns).toContain('ts');
    },
  );
});

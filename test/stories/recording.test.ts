import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import {
  hasEvents,
  isRecorded,
  loadHeld,
  readEventCounts,
  SIGNALS,
  unrecordedBy,
  type Signal,
  type SignalId,
} from '../../shared/recording/index.ts';
import { dataOf, sqlTables } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { views } from '../../views/index.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, root, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const realFiles = process.env.OUTRANK_REAL_ETL ?? join(root, '..', 'shared', 'etl');
if (!existsSync(realFiles)) console.warn(`SKIPPED: there are no real traces in ${realFiles}`);
const names = existsSync(realFiles) ? readdirSync(realFiles, { recursive: true, encoding: 'utf8' }) : [];
const realTraces = names.filter((name) => /\.etl(\.gz|\.zip)?$/.test(name));

const SCENARIOS = [
  ['lock-screen', []],
  ['lock-screen', ['--compact']],
  ['wmi', []],
  ['hot-loop', []],
  ['attention', []],
  ['user-lock', []],
  ['counters', []],
  ['many-processors', []],
  ['dotnet', []],
] as const;

/** The signals that have rows in a trace. */
async function byRows(query: Query): Promise<readonly SignalId[]> {
  const found: SignalId[] = [];
  for (const { id, evidence } of SIGNALS) if (await isRecorded(query, evidence)) found.push(id);
  return found;
}

describeReal('what a trace tells, by its events and by its tables', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const scenarios = SCENARIOS.map(([name, args]) => {
    const path = () => writeTrace(join(folder, `${name}${args.join('')}.etl`), name, ...args);
    return { name: [name, ...args].join(' '), path };
  });
  const real = realTraces.map((name) => ({ name, path: () => join(realFiles, name) }));

  test.each([...scenarios, ...real])(
    '$name: where there are events, there are rows',
    { timeout: 120_000 },
    async ({ path }) => {
      const { id } = await host.open(path(), {});
      const query = makeQuery((sql) => host.query(id, sql));
      const counts = await readEventCounts(sqlTables(query));
      const signals: readonly (Signal & { readonly id: SignalId })[] = SIGNALS;
      const byEvents = signals.filter(
        ({ events, is_named_elsewhere }) => events !== null && !is_named_elsewhere,
      );
      const told = byEvents.filter((signal) => hasEvents(signal, counts) === true).map(({ id }) => id);
      const rows = await byRows(query);
      expect(byEvents.map(({ id }) => id).filter((id) => rows.includes(id))).toEqual(told);
      await host.close(id);
    },
  );

  test.each([...scenarios, ...real])(
    '$name: columns tell what SQL tells, and a view that is called unrecorded has nothing to show',
    { timeout: 120_000 },
    async ({ path }) => {
      const trace = await host.open(path(), { columns: true });
      const query = hostQuery(host, trace);
      const ids = SIGNALS.map(({ id }): SignalId => id);
      const rows = await byRows(makeQuery((sql) => host.query(trace.id, sql)));
      expect([...(await loadHeld(query, ids))]).toEqual(rows);
      const counts = await readEventCounts(dataOf(query).tables);
      const { range } = trace.summary ?? { range: { start: 0, end: 0 } };
      for (const view of views) {
        if (view.recording === undefined || unrecordedBy(view.recording, counts) === null) continue;
        const model = await view.load(query, readParams(view.params, {}), range);
        expect(JSON.stringify(model), view.id).toMatch(/"unrecorded":"/);
      }
      await host.close(trace.id);
    },
  );
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { readParams, type TimeRange } from '../../shared/view/index.ts';
import { views, type AnyView } from '../../views/index.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { summariseTrace } from '../../app/host/trace-summary.ts';
import { dataOf } from '../../shared/tables/index.ts';

const SCENARIOS = [
  ['attention'],
  ['exit-storm'],
  ['generic', '--count', '300'],
  ['hot-loop'],
  ['slow-disk', '--count', '5000'],
  ['thread-growth', '--threads', '200'],
  ['user-lock'],
];

/** Views whose models by SQL are others, such as by steps of other lengths: other tests compare these. */
const OTHERWISE = ['overview', 'timeline', 'explain', 'ready-latency'];

/** All that a view loads, and what it adds later. */
async function loadAll(view: AnyView, query: Query, range: TimeRange): Promise<unknown> {
  const params = readParams(view.params, {});
  const first = await view.load(query, params, range);
  return (await view.later?.load(query, params, range, first)) ?? first;
}

describeReal('views', () => {
  const caches = temporaryFolder();
  const folder = temporaryFolder();
  const whole = startHost(join(caches, 'whole'));
  const outline = startHost(join(caches, 'outline'));

  test.each(SCENARIOS.map(([name = '', ...options]) => [name, options] as const))(
    'load the same without the whole trace: %s',
    async (name, options) => {
      const path = writeTrace(join(folder, `${name}.etl`), name, ...options);
      const inWhole = hostQuery(whole, await whole.open(path, {}));
      const opened = await outline.open(path, { columns: true });
      const inOutline = hostQuery(outline, opened);
      const range = (await summariseTrace(dataOf(inWhole).tables))?.range;
      if (range === undefined) throw new Error('no Windows trace');
      for (const view of views) {
        const model = await loadAll(view, inOutline, range);
        if (OTHERWISE.includes(view.id)) continue;
        expect(model, view.id).toEqual(await loadAll(view, inWhole, range));
      }
      const entries = readdirSync(join(caches, 'outline', 'traces')).filter((entry) =>
        entry.startsWith(opened.id),
      );
      expect(entries.map((entry) => entry.endsWith('-outline'))).toEqual([true]);
    },
  );
});

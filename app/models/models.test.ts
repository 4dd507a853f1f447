import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { views } from '../../views/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { summariseTrace } from '../host/trace-summary.ts';
import { packModel, unpackModel } from '../host/model-source/pack.ts';
import { dataOf } from '../../shared/tables/index.ts';

describeReal('models that go from the worker to the page', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each([
    ['wmi'],
    ['attention'],
    ['hot-loop'],
    ['exit-storm'],
    ['thread-growth', '--threads', '400'],
    ['io', '--count', '300'],
    ['generic', '--count', '300'],
    ['dotnet', '--methods', '20'],
  ])('are plain data: %s', async (scenario, ...options) => {
    const { id } = await host.open(writeTrace(join(folder, `${scenario}.etl`), scenario, ...options), {});
    const query = makeQuery((sql) => host.query(id, sql));
    const summary = await summariseTrace(dataOf(query).tables);
    if (summary === null) throw new Error('no Windows trace');
    for (const view of views) {
      const params = readParams(view.params, {});
      const { range } = summary;
      const first = await view.load(query, params, range);
      const later = await view.later?.load(query, params, range, first);
      for (const model of [first, later])
        expect(unpackModel(packModel(model ?? null)), view.id).toStrictEqual(model ?? null);
    }
    await host.close(id);
  });
});

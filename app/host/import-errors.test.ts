import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, root, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

const SCENARIOS = ['minimal', 'minimal --compressed', 'attention', 'lock-screen'];

const realFolder = join(root, '..', 'shared', 'etl');
if (!existsSync(realFolder)) console.warn(`SKIPPED: no real traces at ${realFolder}`);
const realTraces = (existsSync(realFolder) ? readdirSync(realFolder) : []).filter((name) =>
  name.includes('.etl'),
);

/** What trace_processor itself found wrong with a trace, in its own table. */
const ERRORS = `SELECT name, idx, value FROM stats
  WHERE severity IN ('error', 'data_loss') AND value > 0 ORDER BY name, idx`;

describeReal('a converted trace is imported without errors:', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function errors(path: string): Promise<unknown[]> {
    const { id } = await host.open(path, {});
    const found = [...decodeQueryResult(await host.query(id, ERRORS)).rows()];
    await host.close(id);
    return found;
  }

  test.each(SCENARIOS)('%s', async (scenario) => {
    const path = writeTrace(join(folder, `${scenario}.etl`), ...scenario.split(' '));
    expect(await errors(path)).toEqual([]);
  });

  test.each(realTraces)('%s', async (name) => {
    expect(await errors(join(realFolder, name))).toEqual([]);
  });
});

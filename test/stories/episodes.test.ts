import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { eachEpisode } from '../../shared/causes/index.ts';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import episodesSql from './episodes.sql';

const KINDS = ['activity', 'process_life', 'process_to_focus', 'freeze'] as const;

async function episodesOf(query: Query): Promise<readonly string[]> {
  const found: string[] = [];
  await eachEpisode(query, { start: 0, end: Infinity }, KINDS, (...episode) => {
    found.push(episode.slice(0, 4).join());
  });
  return found.sort();
}

describeReal('episodes by columns are those that SQL gives', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();

  test.each([
    ['generic', '--count', '3000'],
    ['attention'],
    ['exit-storm'],
    ['dotnet'],
    ['lock-screen'],
    ['random', '--seed', '2'],
  ])('of %s', async (name, ...options) => {
    const trace = await host.open(writeTrace(join(folder, `${name}.etl`), name, ...options), {
      columns: true,
    });
    const bySql = makeQuery((sql) => host.query(trace.id, sql));
    const rows = [...(await bySql(episodesSql)).rows()].filter(({ ts, te }) => Number(te) > Number(ts));
    const expected = rows.map(({ kind, utid, ts, te }) => [kind, utid, ts, te].join()).sort();
    expect(await episodesOf(hostQuery(host, trace))).toEqual(expected);
    expect(await episodesOf(bySql)).toEqual(expected);
    await host.close(trace.id);
  });
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { findText, loadEvents } from '../../shared/events/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { genericEvents } from '../../views/generic-events/view.ts';

/** Which events have a text, as SQL finds it, `!` as escape. */
const MATCHES = `SELECT id FROM etw_generic_event
  WHERE lower(kind) GLOB :kinds
    OR fields LIKE :pattern ESCAPE '!'
    OR activity_id LIKE :pattern ESCAPE '!'
    OR related_activity_id LIKE :pattern ESCAPE '!'
  ORDER BY id`;
const SAMPLES = 'SELECT DISTINCT fields, header FROM etw_generic_event GROUP BY kind, length(fields)';

async function foundBySql(query: Query, text: string): Promise<number[]> {
  const pattern = `%${JSON.stringify(text).slice(1, -1).replace(/[!%_]/g, '!$&')}%`;
  const kinds = `*${text.toLowerCase().replace(/[*?[\]]/g, '[$&]')}*`;
  return [...(await query(MATCHES, { pattern, kinds })).rows()].map(({ id }) => Number(id));
}

async function found(query: Query, text: string): Promise<number[]> {
  const { tables } = dataOf(query);
  const isMatch = await findText(tables, await loadEvents(tables), text, false);
  return [...isMatch.keys()].filter((place) => isMatch[place] === 1);
}

/** Parts of what events say, of several lengths, from places that are spread over it. */
async function partsOf(query: Query): Promise<readonly string[]> {
  const parts = new Set<string>();
  for (const { fields, header } of [...(await query(SAMPLES)).rows()].slice(0, 30))
    for (const text of [fields, header])
      if (typeof text === 'string')
        for (let place = 0; place < 6; place++) {
          const start = Math.floor((text.length * place) / 6);
          parts.add(text.slice(start, start + 2 + 3 * place));
        }
  return [...parts].slice(0, 150);
}

describeReal('generic events by columns are those that SQL gives', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();

  test.each([
    ['generic', '--count', '300'],
    ['attention'],
    ['io', '--count', '100'],
    ['user-lock'],
    ['dotnet'],
    ['random', '--seed', '3'],
  ])('of %s', async (name, ...options) => {
    const trace = await host.open(writeTrace(join(folder, `${name}.etl`), name, ...options), {
      columns: true,
    });
    const byColumns = hostQuery(host, trace);
    const bySql = makeQuery((sql) => host.query(trace.id, sql));
    const range = trace.summary?.range;
    if (range === undefined) throw new Error('no Windows trace');
    const parts = await partsOf(bySql);
    for (const text of [...parts, 'a', 'f', '0x', ':1', '\\', '"', '%_', '💡']) {
      const expected = await foundBySql(bySql, text);
      expect(await found(byColumns, text), text).toEqual(expected);
      expect(await found(bySql, text), text).toEqual(expected);
    }
    const first = (await genericEvents.load(bySql, readParams(genericEvents.params, {}), range)).kinds[0];
    const half = { start: range.start, end: Math.floor((range.start + range.end) / 2) };
    for (const [given, within] of [
      [{}, range],
      [{ limit: 7 }, half],
      [{ provider: first?.provider, event: first?.event }, range],
      [{ search: parts.at(-1), process: 'e' }, range],
    ] as const) {
      const params = readParams(genericEvents.params, given);
      const expected = await genericEvents.load(bySql, params, within);
      expect(await genericEvents.load(byColumns, params, within), JSON.stringify(given)).toEqual(expected);
    }
    await host.close(trace.id);
  });
});

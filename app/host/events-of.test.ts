import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadEvents, readEventTexts } from '../../shared/events/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { hostQuery } from './host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

describeReal('columns with the events of some providers', () => {
  const path = writeTrace(join(temporaryFolder(), 'attention.etl'), 'attention');

  /** Providers and fields of the events that columns have. */
  async function eventsIn(eventsOf?: readonly string[]): Promise<readonly [string, string][]> {
    const host = startHost(temporaryFolder(), { eventsOf });
    const query = hostQuery(host, await host.open(path, { columns: true }));
    const { tables } = dataOf(query);
    const events = await loadEvents(tables);
    const places = Array.from(events.ts, (_, place) => place);
    const texts = await readEventTexts(tables, events, places);
    return texts.map(({ fields }, place) => [
      events.shapes[events.shape[place] ?? -1]?.provider ?? '',
      fields,
    ]);
  }

  test('say the same of these, and show that there are others', async () => {
    const all = await eventsIn();
    const [first = ''] = all.map(([provider]) => provider);
    const another = all.map(([provider]) => provider).find((provider) => provider !== first) ?? '';
    const shown = [first, expect.any(String)];
    const told = all.filter(([provider]) => provider === another);
    expect(await eventsIn([another])).toEqual([shown, ...told]);
    expect(await eventsIn(['No-Such-Provider'])).toEqual([shown]);
    expect(await eventsIn([...new Set(all.map(([provider]) => provider))])).toEqual(all);
  });
});

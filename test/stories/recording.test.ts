import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { hasEvents, isRecorded, SIGNALS, type EventCount } from '../../shared/recording/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

describeReal('what a trace tells, by its events and by its tables', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each([
    ['lock-screen', []],
    ['lock-screen', ['--compact']],
    ['wmi', []],
    ['hot-loop', []],
    ['attention', []],
    ['user-lock', []],
    ['counters', []],
    ['many-processors', []],
    ['dotnet', []],
  ])('%s %j: where there are events, there are rows', { timeout: 120_000 }, async (scenario, args) => {
    const name = `${scenario}${args.join('')}.etl`;
    const { id } = await host.open(writeTrace(join(folder, name), scenario, ...args), {});
    const query = makeQuery((sql) => host.query(id, sql));
    const counts = await query('SELECT provider, event, fate, count FROM etw_event_count');
    const kinds: EventCount[] = [...counts.rows()].map((row) => ({
      provider: String(row.provider),
      event: String(row.event),
      fate: String(row.fate),
      count: Number(row.count),
    }));
    const byEvents: string[] = [];
    const byRows: string[] = [];
    for (const signal of SIGNALS) {
      const has = hasEvents(signal, kinds);
      if (has === null) continue;
      if (has) byEvents.push(signal.id);
      if (await isRecorded(query, signal.evidence)) byRows.push(signal.id);
    }
    expect(byRows).toEqual(byEvents);
  });
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { makeQuery, type Query, type Row } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames } from '../../shared/threads/index.ts';
import { loadEventTracks, providersNamed } from '../../views/timeline/event-tracks.ts';
import eventsSql from './timeline-events.sql';

/** So many items of a track are told in full. */
const MOST_TOLD = 12;

const isStart = ({ opcode, name }: Row) =>
  opcode === 1 || (opcode === 0 && /(?:start|begin)$/i.test(String(name)));
const isStop = ({ opcode, name }: Row) =>
  opcode === 2 || (opcode === 0 && /(?:stop|end)$/i.test(String(name)));

function stemOf({ name }: Row): string {
  const parted = String(name)
    .replace(/[/_ ]?(?:start|begin)$/i, '')
    .replace(/[/_ ]?(?:stop|end)$/i, '');
  return parted || String(name);
}

/** The items of a provider's rows, each with the row that it begins with. */
function itemsOf(rows: readonly Row[]) {
  const open = new Map<string, Row[]>();
  const stopOf = new Map<Row, Row>();
  for (const row of rows) {
    const key = JSON.stringify([stemOf(row), row.activity ?? row.utid]);
    if (isStart(row)) open.set(key, [...(open.get(key) ?? []), row]);
    else if (isStop(row)) {
      const start = open.get(key)?.pop();
      if (start !== undefined) stopOf.set(start, row);
    }
  }
  const stops = new Set(stopOf.values());
  return rows
    .filter((row) => !stops.has(row))
    .map((row) => {
      const stop = stopOf.get(row);
      const name = stop === undefined ? String(row.name) : stemOf(row);
      return { row, item: { ts: Number(row.ts), te: Number((stop ?? row).ts), name, value: null } };
    });
}

function fieldsOf(row: Row | undefined): readonly (readonly [string, string])[] {
  const fields = JSON.parse(String(row?.fields)) as Readonly<Record<string, unknown>>;
  return Object.entries(fields)
    .slice(0, 12)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

async function tracksOf(query: Query, providers: readonly string[]) {
  const tracks = await loadEventTracks(query, await loadThreadNames(dataOf(query).tables), providers);
  return Promise.all(
    tracks.map(async (track) => {
      const { key, aside, items } = track;
      const step = Math.ceil(items.length / MOST_TOLD);
      const places = [...items.keys()].filter((place) => place % step === 0);
      const told = await Promise.all(places.map(async (place) => ({ place, ...(await track.about(place)) })));
      return { key, aside, items, told };
    }),
  );
}

describeReal('tracks of events by columns are those that SQL gives', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();

  test.each([
    ['generic', '--count', '3000'],
    ['attention'],
    ['dotnet'],
    ['io', '--count', '100'],
    ['user-lock'],
    ['lock-screen'],
  ])('of %s', async (name, ...options) => {
    const trace = await host.open(writeTrace(join(folder, `${name}.etl`), name, ...options), {
      columns: true,
    });
    const bySql = makeQuery((sql) => host.query(trace.id, sql));
    const byColumns = hostQuery(host, trace);
    const rows = [...(await bySql(eventsSql)).rows()];
    const providers = [...new Set(rows.map(({ provider }) => String(provider)))].sort();
    expect(providers).not.toEqual([]);
    for (const text of ['e', 'Win, net', 'nobody']) {
      const parts = text.toLowerCase().split(', ');
      const expected = providers.filter((provider) =>
        parts.some((part) => provider.toLowerCase().includes(part)),
      );
      expect(await providersNamed(byColumns, text), text).toEqual(expected);
      expect(await providersNamed(bySql, text), text).toEqual(expected);
    }
    const found = await tracksOf(byColumns, providers);
    expect(found.map(({ items }) => items)).toEqual(
      providers.map((provider) =>
        itemsOf(rows.filter((row) => row.provider === provider)).map(({ item }) => item),
      ),
    );
    found.forEach(({ told }, track) => {
      const begins = itemsOf(rows.filter(({ provider }) => provider === providers[track]));
      for (const { place, utid, facts, open } of told) {
        const row = begins[place]?.row;
        expect(utid).toBe(row?.utid ?? null);
        expect(facts.filter(([of]) => !['Provider', 'Written by', 'Stopped by'].includes(of))).toEqual(
          fieldsOf(row),
        );
        expect(open.params).toEqual({ provider: providers[track], event: row?.name });
      }
    });
    expect(await tracksOf(bySql, providers)).toEqual(found);
    await host.close(trace.id);
  });
});

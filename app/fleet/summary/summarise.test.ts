import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../../shared/engine/index.ts';
import { hostQuery } from '../../host/host-query.ts';
import {
  describeReal,
  startEngine,
  startHost,
  temporaryFolder,
  writeTrace,
} from '../../host/testing/real.ts';
import type { LakeRows } from '../tables.ts';
import { SUMMED_EVENTS } from './summed-events.ts';
import { summarise, type Summarised } from './summarise.ts';

const about: Summarised = {
  name: 'trace.etl',
  sourceBytes: 1,
  outrankVersion: '0.1.0',
  tags: new Map([['build', '1']]),
  machineKey: (computer) => computer,
};

/** Rows in an order that their values tell: SQL may give those that end at once in another one. */
function inOrder(rows: LakeRows | null): unknown {
  const keyOf = (row: object) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return Object.entries(rows ?? {}).map(([table, own]) => [table, own.map(keyOf).sort()]);
}

describeReal('what a lake keeps of a trace', () => {
  const folder = temporaryFolder();
  const everything = startHost(temporaryFolder());
  let engines = 0;
  const host = startHost(temporaryFolder(), {
    eventsOf: SUMMED_EVENTS,
    startEngine: () => {
      engines++;
      return startEngine();
    },
  });

  /** What is kept, and how many engines that took; what SQL on all of the trace gives. */
  async function both(...scenario: string[]) {
    const path = writeTrace(join(folder, `${scenario.join('')}.etl`), ...scenario);
    const trace = await host.open(path, { columns: true });
    engines = 0;
    const rows = await summarise(hostQuery(host, trace), about);
    const taken = engines;
    await host.close(trace.id);
    const whole = await everything.open(path, { columns: true });
    const bySql = await summarise(
      makeQuery((sql) => everything.query(whole.id, sql)),
      about,
    );
    await everything.close(whole.id);
    return { rows, taken, bySql };
  }

  test.each([
    ['minimal'],
    ['verdicts'],
    ['attention'],
    ['exit-storm'],
    ['lock-screen'],
    ['random', '--seed', '7'],
  ])(
    'is drawn from columns without an engine, and is what SQL on all of it gives: %s',
    async (...scenario) => {
      const { rows, taken, bySql } = await both(...scenario);
      expect(taken).toBe(0);
      expect(inOrder(rows)).toEqual(inOrder(bySql));
      expect(rows?.trace[0]?.start_utc_ns).toBeTypeOf('bigint');
    },
  );

  test('names the places of samples as SQL does, in images and in generated code', async () => {
    const { rows, bySql } = await both('dotnet');
    expect(rows?.hot_function.length).toBeGreaterThan(0);
    expect(inOrder(rows)).toEqual(inOrder(bySql));
  });

  test('reads the uses of the user lock, which an engine is asked about', async () => {
    const { rows, taken, bySql } = await both('user-lock');
    expect(taken).toBe(1);
    expect(rows?.finding.map(({ rule }) => rule)).toContain('user-lock-contention');
    expect(inOrder(rows)).toEqual(inOrder(bySql));
  });

  test('names the machine by what events tell', async () => {
    const { rows } = await both('verdicts');
    expect(rows?.trace[0]).toMatchObject({ machine_key: 'DESKTOP-OUTRANK', memory_mb: 16384 });
  });
});

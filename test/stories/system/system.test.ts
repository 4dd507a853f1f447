import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostQuery } from '../../../app/host/host-query.ts';
import {
  describeReal,
  root,
  startHost,
  temporaryFolder,
  writeTrace,
} from '../../../app/host/testing/real.ts';
import { makeQuery, type Query } from '../../../shared/engine/index.ts';
import { readParams } from '../../../shared/view/index.ts';
import { devicesOf, machineFacts, recordingFacts } from '../../../views/system/machine.ts';
import { LOSSES_MAX } from '../../../views/system/model.ts';
import { configsOf } from '../../../views/system/read.ts';
import { system } from '../../../views/system/view.ts';
import configSql from './config.sql';
import kindsSql from './kinds.sql';
import lossesSql from './losses.sql';
import servicesSql from './services.sql';
import traceSql from './trace.sql';

const SCENARIOS = [
  ['attention'],
  ['generic', '--count', '300'],
  ['lock-screen'],
  ['many-processors'],
  ['random', '--seed', '1', '--lose-buffers', '--events', '1500'],
];
const REAL_FOLDER = process.env.OUTRANK_REAL_ETL ?? join(root, '..', 'shared', 'etl');
const REAL = [
  'ShutdownPerfDiagLogger.etl',
  'AMSITrace.etl',
  'TraceLoggingTester.etl.gz',
  'diaghub.kernel.1.etl.gz',
  'net.4.5.2.x64.etl.zip',
]
  .map((file) => join(REAL_FOLDER, file))
  .filter((path) => existsSync(path));

const rowsOf = async (query: Query, sql: string, params = {}) => [...(await query(sql, params)).rows()];

async function loadBySql(query: Query, stopped: boolean) {
  const [about = {}] = await rowsOf(query, traceSql);
  const described = (await rowsOf(query, configSql)).map(({ kind, fields }) => {
    return { kind: String(kind), fields: String(fields) };
  });
  const configs = configsOf(described);
  const services = await rowsOf(query, servicesSql, { stopped: Number(stopped) });
  return {
    origin_ns: about.start_ts,
    machine: machineFacts(about, configs),
    recording: recordingFacts(about, []),
    devices: devicesOf(configs),
    services: services.map(({ name, display_name, state, pid, process }) => {
      return { name, display_name, state, pid, process };
    }),
    losses: await rowsOf(query, lossesSql, { max_rows: LOSSES_MAX }),
    kinds: await rowsOf(query, kindsSql),
  };
}

async function loadModel(query: Query, stopped: boolean) {
  const params = readParams(system.params, { stopped });
  const { origin_ns, machine, recording, devices, services, losses, kinds } = await system.load(
    query,
    params,
    {
      start: 0,
      end: Infinity,
    },
  );
  return {
    ...{ origin_ns, machine, devices, services, losses, kinds },
    // Which flags there are, no SQL tells.
    recording: recording.filter(({ name }) => name !== 'kernel flags'),
  };
}

describeReal('what columns tell of the machine is what SQL tells', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();
  const synthetic = SCENARIOS.map((scenario) => [scenario.join(' '), scenario] as const);

  async function expectSame(path: string): Promise<void> {
    const trace = await host.open(path, { columns: true });
    const bySql = makeQuery((sql) => host.query(trace.id, sql));
    for (const stopped of [false, true]) {
      const expected = await loadBySql(bySql, stopped);
      expect(await loadModel(hostQuery(host, trace), stopped)).toEqual(expected);
      expect(await loadModel(bySql, stopped)).toEqual(expected);
    }
    await host.close(trace.id);
  }

  test.each(synthetic)('of %s', async (name, scenario) => {
    await expectSame(writeTrace(join(folder, `${name}.etl`), ...scenario));
  });

  test.each(REAL)('of %s', expectSame, 120_000);
});

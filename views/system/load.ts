import { toNumber, toText, type Query, type Row } from '../../shared/engine/index.ts';
import { notRecorded } from '../../shared/recording/index.ts';
import type { ParamValues } from '../../shared/view/index.ts';
import configSql from './config.sql';
import { kernelFlags } from './kernel-flags.ts';
import kindsSql from './kinds.sql';
import lossesSql from './losses.sql';
import { devicesOf, machineFacts, recordingFacts, type Config, type Configs } from './machine.ts';
import {
  LOSSES_MAX,
  type KindCount,
  type Loss,
  type ProviderCount,
  type Service,
  type SystemModel,
} from './model.ts';
import type { params as specs } from './params.ts';
import servicesSql from './services.sql';
import traceSql from './trace.sql';

/** Asks for what the trace tells of the machine and of itself. */
export async function loadSystem(query: Query, { stopped }: ParamValues<typeof specs>): Promise<SystemModel> {
  const [trace = {}] = (await query(traceSql)).rows();
  const configs = readConfigs((await query(configSql)).rows());
  const kinds = [...(await query(kindsSql)).rows()].map(readKind);
  const flags = kernelFlags(toText(trace.kernel_flags), kinds);
  const services = await query(servicesSql, { stopped: stopped ? 1 : 0 });
  const losses = await query(lossesSql, { max_rows: LOSSES_MAX });
  return {
    origin_ns: toNumber(trace.start_ts) ?? 0,
    machine: machineFacts(trace, configs),
    recording: recordingFacts(trace, flags),
    flags,
    not_recorded: notRecorded(kinds),
    devices: devicesOf(configs),
    services: [...services.rows()].map(readService),
    losses: [...losses.rows()].map(readLoss),
    providers: sumProviders(kinds),
    kinds,
  };
}

function readConfigs(rows: Iterable<Row>): Configs {
  const configs = new Map<string, Config[]>();
  for (const { kind, fields } of rows) {
    const name = toText(kind) ?? '';
    const config = readConfig(toText(fields));
    if (config !== null) configs.set(name, [...(configs.get(name) ?? []), config]);
  }
  return configs;
}

function readConfig(json: string | null): Config | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;
  } catch {
    return null;
  }
}

function readKind(row: Row): KindCount {
  return {
    provider: toText(row.provider) ?? '',
    event: toText(row.event) ?? '',
    version: toNumber(row.version),
    fate: toText(row.fate) ?? '',
    reason: toText(row.reason),
    count: Number(row.count),
  };
}

function readService(row: Row): Service {
  return {
    name: toText(row.name) ?? '',
    display_name: toText(row.display_name),
    state: toText(row.state),
    pid: toNumber(row.pid),
    process: toText(row.process),
  };
}

function readLoss(row: Row): Loss {
  return {
    ts: Number(row.ts),
    dur: Number(row.dur),
    kind: toText(row.kind) ?? '',
    cpu: toNumber(row.cpu),
    count: toNumber(row.count),
    message: toText(row.message),
  };
}

function sumProviders(kinds: readonly KindCount[]): readonly ProviderCount[] {
  const sums = new Map<string, { events: number; converted: number; generic: number; skipped: number }>();
  for (const { provider, fate, count } of kinds) {
    const sum = sums.get(provider) ?? { events: 0, converted: 0, generic: 0, skipped: 0 };
    sums.set(provider, sum);
    sum.events += count;
    if (fate === 'converted' || fate === 'generic' || fate === 'skipped') sum[fate] += count;
  }
  return [...sums]
    .map(([provider, sum]) => ({ provider, ...sum }))
    .sort((a, b) => b.events - a.events || (a.provider < b.provider ? -1 : 1));
}

import { ascending } from 'd3';
import { toNumber, toText, type Row } from '../../shared/engine/index.ts';
import { readEventsOf, readFields } from '../../shared/events/index.ts';
import { traceRow, readRows, type Tables } from '../../shared/tables/index.ts';
import type { Config, Configs } from './machine.ts';
import { LOSSES_MAX, type KindCount, type Loss, type Service } from './model.ts';

const ABOUT = [
  ...['start_ts', 'dur_ns', 'start_utc_ns', 'boot_utc_ns', 'session_name', 'file_name', 'selected_kinds'],
  ...['os_build', 'os_version', 'pointer_bytes', 'cpu_count', 'cpu_mhz', 'kernel_flags'],
  ...['clock', 'clock_hz', 'timer_resolution_ns', 'buffers_read', 'buffers_lost'],
  ...['events_read', 'events_converted', 'events_generic', 'events_skipped', 'events_lost'],
];

/** What the recording says of itself, with how many processes and threads it has; nothing where it says nothing. */
export async function readAbout(tables: Tables): Promise<Row> {
  const about = await traceRow(tables, ABOUT);
  if (about === null) return {};
  const processes = await readRows(tables, 'etw_process', ['pid']);
  return {
    ...about,
    processes: processes.filter(({ pid }) => pid !== 0).length,
    threads: await tables.rowCount('etw_thread'),
  };
}

/** What Windows wrote of the machine when the recording started or ended. */
const DESCRIBED: ReadonlySet<string> = new Set([
  ...['SysConfig/CPU', 'SysConfig/Processor', 'SysConfig/Platform', 'SysConfig/NumaNode'],
  ...['SysConfig/ProcessorGroup', 'SysConfig/PhyDisk', 'SysConfig/LogDisk', 'SysConfig/NIC'],
  'KernelTraceControl-SysConfigEx/BuildInfo',
]);

/** What the events tell that describe the machine. */
export async function readConfigs(tables: Tables): Promise<Configs> {
  const events = await readEventsOf(tables, ({ provider, name }) => {
    const kind = `${provider}/${name}`;
    return DESCRIBED.has(kind) ? kind : undefined;
  });
  return configsOf(events.map(({ of, fields }) => ({ kind: of, fields })));
}

/** Descriptions by their kinds, in their order. A recording of several sessions has some more than once. */
export function configsOf(described: Iterable<{ readonly kind: string; readonly fields: string }>): Configs {
  const configs = new Map<string, Config[]>();
  const known = new Set<string>();
  for (const { kind, fields } of described) {
    const key = `${kind} ${fields}`;
    const config = known.has(key) ? null : readFields(fields);
    known.add(key);
    if (config !== null) configs.set(kind, [...(configs.get(kind) ?? []), config]);
  }
  return configs;
}

/** How many events of each kind the file holds. */
export async function readKinds(tables: Tables): Promise<readonly KindCount[]> {
  const columns = ['provider', 'event', 'version', 'fate', 'reason', 'count'] as const;
  const rows = await readRows(tables, 'etw_event_count', columns);
  const kinds = rows.map((row): KindCount => {
    return {
      provider: toText(row.provider) ?? '',
      event: toText(row.event) ?? '',
      version: toNumber(row.version),
      fate: toText(row.fate) ?? '',
      reason: toText(row.reason),
      count: Number(row.count),
    };
  });
  return kinds.sort(
    (a, b) =>
      b.count - a.count ||
      ascending(a.provider, b.provider) ||
      ascending(a.event, b.event) ||
      (a.version ?? -1) - (b.version ?? -1),
  );
}

/** The first gaps of the recording. */
export async function readLosses(tables: Tables): Promise<readonly Loss[]> {
  const columns = ['ts', 'dur', 'kind', 'cpu', 'count', 'message'] as const;
  const losses = (await readRows(tables, 'etw_loss', columns)).map((row): Loss => {
    return {
      ts: Number(row.ts),
      // A loss without a length was not measured.
      dur: Number(row.dur) || null,
      kind: toText(row.kind) ?? '',
      cpu: toNumber(row.cpu),
      count: toNumber(row.count),
      message: toText(row.message),
    };
  });
  return losses.sort((a, b) => a.ts - b.ts).slice(0, LOSSES_MAX);
}

/** Services; one whose state or host changed is there as it was last. Without `stopped` only those that a process hosted. */
export async function readServices(tables: Tables, stopped: boolean): Promise<readonly Service[]> {
  const processes = await readRows(tables, 'etw_process', ['pid', 'name', 'create_ts', 'exit_ts']);
  const rows = await readRows(tables, 'etw_service', ['ts', 'name', 'display_name', 'state', 'pid']);
  const last = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const name = toText(row.name) ?? '';
    if ((stopped || row.pid !== null) && Number(row.ts) > Number(last.get(name)?.ts ?? -Infinity))
      last.set(name, row);
  }
  const services = Array.from(last, ([name, { ts, pid, ...row }]): Service => {
    const host = processes.find(
      (process) =>
        process.pid === pid &&
        Number(process.create_ts ?? 0) <= Number(ts) &&
        Number(process.exit_ts ?? Infinity) >= Number(ts),
    );
    return {
      name,
      display_name: toText(row.display_name),
      state: toText(row.state),
      pid: toNumber(pid),
      process: toText(host?.name),
    };
  });
  return services.sort(
    (a, b) => Number(a.pid === null) - Number(b.pid === null) || ascending(a.name, b.name),
  );
}

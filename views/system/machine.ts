import { toNumber, toText, type Row } from '../../shared/engine/index.ts';
import { formatBytes, formatCount, formatDuration } from '../../shared/model/index.ts';
import { flagWords } from './kernel-flags.ts';
import type { Device, Fact, KernelFlag } from './model.ts';

/** The fields of one event of the machine's description. */
export type Config = Readonly<Record<string, unknown>>;

/** The machine's description: by the kind of its events, the fields of each. */
export type Configs = ReadonlyMap<string, readonly Config[]>;

const MIB_IN_GIB = 1024;

/** The texts and numbers of a field that are there; none for an empty text or 0. */
function text(config: Config | undefined, field: string): string | null {
  const value = config?.[field];
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  return typeof value === 'number' && value !== 0 ? String(value) : null;
}

function numberOf(config: Config, field: string): number {
  const value = config[field];
  return typeof value === 'number' ? value : 0;
}

/** Facts that are known, in order: a session without a name has an empty one. */
function facts(all: readonly (readonly [string, string | null])[]): readonly Fact[] {
  return all.flatMap(([name, value]) => (value === null || value === '' ? [] : [{ name, value }]));
}

function joined(...parts: readonly (string | null)[]): string | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.join(' ');
}

/** The machine and its Windows. */
export function machineFacts(trace: Row, configs: Configs): readonly Fact[] {
  const first = (kind: string) => configs.get(kind)?.[0];
  const cpu = first('SysConfig/CPU');
  const platform = first('SysConfig/Platform');
  const processor = first('SysConfig/Processor');
  const build = toNumber(trace.os_build);
  const mhz = toNumber(trace.cpu_mhz);
  const bits = toNumber(trace.pointer_bytes);
  const memory_mib = cpu === undefined ? 0 : numberOf(cpu, 'MemSize');
  const nodes = configs.get('SysConfig/NumaNode')?.[0];
  const groups = configs.get('SysConfig/ProcessorGroup')?.[0];
  return facts([
    ['computer', text(cpu, 'ComputerName')],
    ['made by', joined(text(platform, 'SystemManufacturer'), text(platform, 'SystemProductName'))],
    ['BIOS', joined(text(platform, 'BiosVersion'), text(platform, 'BiosDate'))],
    ['Windows', joined(toText(trace.os_version), build === null ? null : `build ${build}`)],
    ['Windows build', text(first('KernelTraceControl-SysConfigEx/BuildInfo'), 'BuildLab')],
    ['product', text(first('KernelTraceControl-SysConfigEx/BuildInfo'), 'ProductName')],
    ['pointers', bits === null ? null : `${bits * 8} bit`],
    ['CPUs', toNumber(trace.cpu_count) === null ? null : String(trace.cpu_count)],
    ['CPU', text(processor, 'ProcessorName')],
    ['clock rate', mhz === null || mhz === 0 ? null : `${formatCount(mhz)} MHz`],
    ['processor groups', text(groups, 'GroupCount')],
    ['NUMA nodes', text(nodes, 'NodeCount')],
    ['memory', memory_mib === 0 ? null : `${(memory_mib / MIB_IN_GIB).toFixed(1)} GiB`],
  ]);
}

/** The recording, its clock, and what was read of it. */
export function recordingFacts(trace: Row, flags: readonly KernelFlag[]): readonly Fact[] {
  const count = (name: string) => {
    const value = toNumber(trace[name]);
    return value === null ? null : formatCount(value);
  };
  const hz = toNumber(trace.clock_hz);
  const timer_ns = toNumber(trace.timer_resolution_ns);
  const dur_ns = toNumber(trace.dur_ns);
  return facts([
    ['session', toText(trace.session_name)],
    ['file', toText(trace.file_name)],
    ['began', utc(trace.start_utc_ns)],
    ['machine booted', utc(trace.boot_utc_ns)],
    ['length', dur_ns === null ? null : formatDuration(dur_ns)],
    ['clock', joined(toText(trace.clock), hz === null ? null : `${formatCount(hz)} Hz`)],
    ['clock interrupt', timer_ns === null ? null : formatDuration(timer_ns)],
    ['kernel flags', flagWords(flags)],
    ['processes', count('processes')],
    ['threads', count('threads')],
    ['events', count('events_read')],
    ['events with rows of their own', count('events_converted')],
    ['generic events', count('events_generic')],
    ['events left out', count('events_skipped')],
    ['events lost', count('events_lost')],
    ['buffers', count('buffers_read')],
    ['buffers lost', count('buffers_lost')],
    ['part that is open', toText(trace.selected_kinds)],
  ]);
}

function utc(utc_ns: Row[string] | undefined): string | null {
  const ns = toNumber(utc_ns);
  if (ns === null) return null;
  const date = new Date(Math.floor(ns / 1e6));
  return Number.isNaN(date.getTime()) ? null : `${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

/** Disks, volumes and network cards. */
export function devicesOf(configs: Configs): readonly Device[] {
  const disks = (configs.get('SysConfig/PhyDisk') ?? []).map((disk): Device => {
    const sectors =
      numberOf(disk, 'Cylinders') * numberOf(disk, 'TracksPerCylinder') * numberOf(disk, 'SectorsPerTrack');
    return {
      kind: 'disk',
      name: `${numberOf(disk, 'DiskNumber')}: ${text(disk, 'Manufacturer') ?? 'unknown'}`,
      details: `${formatBytes(sectors * numberOf(disk, 'BytesPerSector'))}, ${numberOf(disk, 'PartitionCount')} partitions, write cache ${disk.WriteCacheEnabled === true ? 'on' : 'off'}`,
    };
  });
  const volumes = (configs.get('SysConfig/LogDisk') ?? []).map((volume): Device => {
    const cluster_bytes = numberOf(volume, 'SectorsPerCluster') * numberOf(volume, 'BytesPerSector');
    const free_bytes = numberOf(volume, 'NumberOfFreeClusters') * cluster_bytes;
    return {
      kind: 'volume',
      name: text(volume, 'DriveLetterString') ?? `partition ${numberOf(volume, 'PartitionNumber')}`,
      details: `${text(volume, 'FileSystem') ?? 'unknown file system'} on disk ${numberOf(volume, 'DiskNumber')}, ${formatBytes(numberOf(volume, 'PartitionSize'))}, ${formatBytes(free_bytes)} free`,
    };
  });
  const cards = (configs.get('SysConfig/NIC') ?? []).map((card): Device => ({
    kind: 'network card',
    name: text(card, 'NICDescription') ?? 'unknown',
    details: text(card, 'IpAddresses')?.split(';').join(', ') ?? 'no address',
  }));
  return [...disks, ...volumes, ...cards];
}

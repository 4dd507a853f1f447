import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { flagWords, kernelFlags } from './kernel-flags.ts';
import type { SystemModel } from './model.ts';
import { system } from './view.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const END = START + 100 * MS;
/** 2024-01-01, on the clock of UTC. */
const UTC = 1_704_067_200_000 * MS;

async function load(trace: TraceWriter, given: Readonly<Record<string, unknown>> = {}) {
  const query = await queryOf(trace.fact(END, 'etw.end'));
  return system.load(query, readParams(system.params, given), { start: START, end: END });
}

/** A machine with one disk, one volume and one card, and two services. */
const machine = () =>
  new TraceWriter()
    .start(START, UTC)
    .fact(START, 'etw.trace', {
      schema: 1,
      start_utc_ns: UTC,
      session_name: 'NT Kernel Logger',
      os_version: '10.0',
      os_build: 22631,
      pointer_bytes: 8,
      cpu_count: 4,
      cpu_mhz: 3600,
      clock: 'qpc',
      clock_hz: 10_000_000,
      end_ts: END,
      events_read: 12,
      kernel_flags: '00000103 00000004 00000000',
    })
    .fact(START, 'etw.events', {
      provider: 'Thread',
      event: 'CSwitch',
      version: 4,
      count: 10,
      fate: 'converted',
    })
    .fact(START, 'etw.events', {
      provider: 'Win',
      event: 'Odd',
      version: 0,
      count: 2,
      fate: 'skipped',
      reason: 'damage',
    })
    .fact(START + MS, 'etw.loss', { kind: 'lost_events', dur_ns: MS, count: 3, cpu: 1, message: 'gone' })
    .process(START, 'Idle', '', { pid: 0 })
    .process(START, 'svchost.exe', '', { pid: 8 })
    .genericEvent(START + 1000, 'SysConfig/CPU', [4, 5], 0x0b0a, { MemSize: 16384, ComputerName: 'DESK' })
    .genericEvent(START + 1001, 'SysConfig/PhyDisk', [4, 5], 0x0b0b, {
      DiskNumber: 0,
      Manufacturer: 'Fast SSD',
      Cylinders: 1000,
      TracksPerCylinder: 255,
      SectorsPerTrack: 63,
      BytesPerSector: 512,
      PartitionCount: 2,
      WriteCacheEnabled: true,
    })
    .genericEvent(START + 1002, 'SysConfig/LogDisk', [4, 5], 0x0b0c, {
      DriveLetterString: 'C:',
      FileSystem: 'NTFS',
      DiskNumber: 0,
      PartitionSize: 8_000_000_000,
      SectorsPerCluster: 8,
      BytesPerSector: 512,
      NumberOfFreeClusters: 250_000,
    })
    .genericEvent(START + 1003, 'SysConfig/NIC', [4, 5], 0x0b0d, {
      NICDescription: 'Loopback',
      IpAddresses: '::1;127.0.0.1',
    })
    .genericEvent(START + 1004, 'SysConfig/Services', [4, 5], 0x0b0f, {
      ProcessId: 8,
      SubProcessTag: 61,
      ServiceName: 'Dhcp',
      DisplayName: 'DHCP Client',
      ServiceState: 'Running',
    })
    .genericEvent(START + 1005, 'SysConfig/Services', [4, 5], 0x0b0f, {
      ProcessId: 0,
      SubProcessTag: 62,
      ServiceName: 'Fax',
      DisplayName: 'Fax',
      ServiceState: 'Stopped',
    });

test('all that is told of a machine and its recording', async () => {
  const { flags, not_recorded, recording, ...rest } = await load(machine());
  expect(recording).toEqual([
    { name: 'session', value: 'NT Kernel Logger' },
    { name: 'began', value: '2024-01-01 00:00:00 UTC' },
    { name: 'length', value: '100 ms' },
    { name: 'clock', value: 'qpc 10,000,000 Hz' },
    { name: 'kernel flags', value: 'PROC_THREAD + CSWITCH + DISK_IO' },
    { name: 'processes', value: '2' },
    { name: 'threads', value: '1' },
    { name: 'events', value: '12' },
  ]);
  expect(flags.filter(({ on, events }) => on === true || (events ?? 0) > 0)).toEqual([
    { flag: 'PROC_THREAD', what: 'Processes and threads', on: true, events: 0, place: '0:0x3' },
    { flag: 'CSWITCH', what: 'Context switches', on: true, events: 10, place: '1:0x4' },
    { flag: 'DISK_IO', what: 'Disk I/O', on: true, events: 0, place: '0:0x100' },
  ]);
  expect(not_recorded.map(({ what }) => what.split(':')[0])).not.toContain('Context switches');
  expect(not_recorded).toContainEqual({
    what: 'Ready-thread events: when a thread could have run, and who readied it',
    record: 'the kernel flags CSWITCH and DISPATCHER (in WPR: the CPU profile)',
  });
  expect(rest).toEqual({
    origin_ns: START,
    machine: [
      { name: 'computer', value: 'DESK' },
      { name: 'Windows', value: '10.0 build 22631' },
      { name: 'pointers', value: '64 bit' },
      { name: 'CPUs', value: '4' },
      { name: 'clock rate', value: '3,600 MHz' },
      { name: 'memory', value: '16.0 GiB' },
    ],
    devices: [
      { kind: 'disk', name: '0: Fast SSD', details: '8.2 GB, 2 partitions, write cache on' },
      { kind: 'volume', name: 'C:', details: 'NTFS on disk 0, 8.0 GB, 1.0 GB free' },
      { kind: 'network card', name: 'Loopback', details: '::1, 127.0.0.1' },
    ],
    services: [
      { name: 'Dhcp', display_name: 'DHCP Client', state: 'Running', pid: 8, process: 'svchost.exe' },
    ],
    losses: [{ ts: START + MS, dur: MS, kind: 'lost_events', cpu: 1, count: 3, message: 'gone' }],
    providers: [
      { provider: 'Thread', events: 10, converted: 10, generic: 0, skipped: 0 },
      { provider: 'Win', events: 2, converted: 0, generic: 0, skipped: 2 },
    ],
    kinds: [
      { provider: 'Thread', event: 'CSwitch', version: 4, fate: 'converted', reason: null, count: 10 },
      { provider: 'Win', event: 'Odd', version: 0, fate: 'skipped', reason: 'damage', count: 2 },
    ],
  } satisfies Omit<SystemModel, 'flags' | 'not_recorded' | 'recording'>);
});

test('stopped services are listed when they are asked for', async () => {
  const { services } = await load(machine(), { stopped: true });
  expect(services.map(({ name, pid }) => [name, pid])).toEqual([
    ['Dhcp', 8],
    ['Fax', null],
  ]);
});

test('a trace that tells nothing of itself has no facts, and flags that are not known', async () => {
  const { machine, recording, flags, services, devices } = await load(new TraceWriter().start(START, START));
  expect([machine, recording, services, devices]).toEqual([[], [], [], []]);
  expect(new Set(flags.map(({ on }) => on))).toEqual(new Set([null]));
});

test('a session without a name has no row', async () => {
  const { recording } = await load(
    new TraceWriter().start(START, UTC).fact(START, 'etw.trace', { session_name: '', file_name: '' }),
  );
  expect(recording.map(({ name }) => name)).toEqual(['length', 'processes', 'threads']);
});

test('a bit that is on has its name where that is public, and else its place', () => {
  const flags = kernelFlags('02000200 00000000 80000000', []);
  const on = flags.filter(({ on }) => on === true);
  expect(on).toEqual([
    { flag: 'FILE_IO', what: 'Ends of file I/O', on: true, events: 0, place: '0:0x2000000' },
    { flag: 'FILENAME', what: null, on: true, events: null, place: '0:0x200' },
    { flag: '', what: null, on: true, events: null, place: '2:0x80000000' },
  ]);
  expect(flagWords(flags)).toBe('FILE_IO + FILENAME + 1 without a public name');
});

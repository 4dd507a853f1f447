import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const APP = '\\Device\\HarddiskVolume2\\app.exe';
const LOG = '\\Device\\HarddiskVolume2\\log.txt';
/** The stack of a kernel event. */
const stackOf = (hook: number) => ({ isKernel: true, value: 2 ** 48 + 2 ** 18 + 2 ** 16 + hook });
const THREAD = [16, 20] as const;
const NOBODY = [0, 0] as const;

let processor: TraceProcessor;
beforeAll(async () => {
  const trace = new TraceWriter()
    .start(1000, 1000)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 5000 })
    .process(1000, 'app.exe', 'app.exe', { pid: 16, parent_pid: 4 })
    .thread(1001, null, { tid: 20, pid: 16 })
    .beginSamples(1002, [['\\nt', 0x1000, 0x2000]], [[0, 1]], [[0]]);
  const event = (
    ts: number,
    tag: string,
    owner: readonly [number, number],
    fields: Record<string, string | number>,
  ) => trace.genericEvent(ts, tag, owner, 0, fields);
  const request = (...event: Parameters<TraceWriter['ioEvent']>) => trace.ioEvent(...event);

  // The key 0xa stands for a log that is deleted, then for the program.
  event(1100, 'FileIo/FileCreate', NOBODY, { FileKey: '0xa', FileName: LOG });
  event(2000, 'FileIo/FileDelete', NOBODY, { FileKey: '0xa', FileName: LOG });
  event(4000, 'FileIo/FileRundown', NOBODY, { FileKey: '0xa', FileName: APP });

  const disk = { DiskNumber: 1, ByteOffset: 8192, TransferSize: 4096, FileObject: '0xa', Irp: '0x1' };
  request(1200, 'DiskIo/ReadInit', THREAD, { Irp: '0x1' });
  trace.sample(1200, 0, THREAD, { stack: 0, ...stackOf(0x010c) });
  request(
    1500,
    'DiskIo/Read',
    NOBODY,
    {
      ...disk,
      IrpFlags: 'NoCache|PagingIo|0x60000',
      HighResResponseTime_ns: 250,
    },
    300,
  );
  // The packet is used again; its issue was not recorded, but the event names the thread.
  request(2500, 'DiskIo/Write', NOBODY, {
    ...disk,
    IrpFlags: 131072,
    HighResResponseTime_ns: 100,
    IssuingThreadId: 20,
  });
  request(2600, 'DiskIo/FlushBuffers', NOBODY, {
    DiskNumber: 1,
    IrpFlags: 0,
    HighResResponseTime_ns: 50,
    Irp: '0x2',
  });

  request(3000, 'FileIo/Create', THREAD, { Irp: '0x5', ThreadId: 20, FileObject: '0xf', OpenPath: LOG });
  request(
    3010,
    'FileIo/OperationEnd',
    NOBODY,
    { Irp: '0x5', ExtraInformation: 0, NtStatus: '0xc0000034' },
    10,
  );
  request(3100, 'FileIo/Read', NOBODY, { Irp: '0x5', ThreadId: 20, FileKey: '0xa', Offset: 512, IoSize: 64 });
  request(3150, 'FileIo/OperationEnd', NOBODY, { Irp: '0x5', ExtraInformation: 32, NtStatus: '0x0' }, 50);
  request(3200, 'FileIo/Close', THREAD, { Irp: '0x5', ThreadId: 20, FileObject: '0xf', FileKey: '0xb' });

  event(3500, 'Memory/HardFault', NOBODY, {
    InitialTime_ts: 3300,
    ReadOffset: 1024,
    VirtualAddress: '0x7ff6',
    FileObject: '0xa',
    ThreadId: 20,
    ByteCount: 4096,
  });
  processor = await processorWith(trace.flush(3500).fact(5000, 'etw.end').finish());
});

/** Rows with the thread by its id, and whether its process is its own. */
function rows(table: string): Record<string, unknown>[] {
  return rowsOf(
    processor,
    `SELECT x.*, t.tid, t.upid IS x.upid AS is_own FROM ${table} AS x LEFT JOIN thread AS t USING (utid)`,
  ).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'utid' && column !== 'upid')),
  );
}

test('etw_disk_io has each transfer from its issue to its end, with file, issuer, priority and stack', () => {
  const transfer = { cpu: 0, disk: 1, byte_offset: 8192, size_bytes: 4096, irp: '0x1', tid: 20, is_own: 1 };
  expect(rows('etw_disk_io')).toEqual([
    {
      ...transfer,
      ts: 1250,
      dur: 250,
      kind: 'read',
      path: LOG,
      priority: 'Normal',
      irp_flags: 'NoCache|PagingIo|0x60000',
      callsite: 0,
    },
    {
      ...transfer,
      ts: 2400,
      dur: 100,
      kind: 'write',
      path: APP,
      priority: 'VeryLow',
      irp_flags: '131072',
      callsite: null,
    },
    {
      ts: 2550,
      dur: 50,
      kind: 'flush',
      cpu: 0,
      path: null,
      byte_offset: null,
      size_bytes: null,
      disk: 1,
      priority: null,
      irp_flags: '0',
      irp: '0x2',
      callsite: null,
      tid: null,
      is_own: 1,
    },
  ]);
});

test('etw_file_io has each operation until its own end, though the request packet is used again', () => {
  const operation = { cpu: 0, irp: '0x5', callsite: null, tid: 20, is_own: 1 };
  const nowhere = { byte_offset: null, size_bytes: null };
  expect(rows('etw_file_io')).toEqual([
    { ...operation, ...nowhere, ts: 3000, dur: 10, kind: 'create', path: LOG, done: 0, status: '0xc0000034' },
    {
      ...operation,
      ts: 3100,
      dur: 50,
      kind: 'read',
      path: APP,
      byte_offset: 512,
      size_bytes: 64,
      done: 32,
      status: '0x0',
    },
    { ...operation, ...nowhere, ts: 3200, dur: null, kind: 'close', path: null, done: null, status: null },
  ]);
});

test('etw_hard_fault lasts from the touch to the end of the read', () => {
  expect(rows('etw_hard_fault')).toEqual([
    {
      ts: 3300,
      dur: 200,
      cpu: 0,
      path: APP,
      byte_offset: 1024,
      size_bytes: 4096,
      address: '0x7ff6',
      callsite: null,
      tid: 20,
      is_own: 1,
    },
  ]);
});

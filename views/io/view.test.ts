import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { loadWaits } from './load-waits.ts';
import { endOfPath, shownIos } from './tables.ts';
import { io } from './view.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const at = (ms: number) => START + ms * MS;
const whole = { start: START, end: at(300) };
const WAITING = 5;
const USER_REQUEST = 6;
const blocks = { rank: 0, outPriority: 8, waitReason: USER_REQUEST, state: WAITING };
const LOG = '\\Device\\HarddiskVolume2\\log.txt';

/**
 * app.exe reads 4 kB of a log from disk 1 from 10 ms to 30 ms, blocks for it at 11 ms, is readied by a DPC 20 µs after its
 * end and runs 1 ms later. Two threads of log.exe are readied then too: one had blocked while the disk read, one before.
 * log.exe writes 8 kB to it in 2 ms, and waits for nothing. app.exe opens a file that is not
 * there, and touches memory that is on the disk.
 */
async function diskAndFiles(): Promise<Query> {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end })
    .process(START, 'Idle', '', { pid: 0 })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 20, pid: 16 })
    .process(START, 'log.exe', '', { pid: 32 })
    .thread(START, 'writer', { tid: 36, pid: 32 })
    .thread(START, 'reader', { tid: 40, pid: 32 })
    .thread(START, null, { tid: 44, pid: 32 });
  const app = [16, 20] as const;
  const nobody = [0, 0] as const;
  const disk = { DiskNumber: 1, ByteOffset: 0, FileObject: '0xa', IrpFlags: 0 };
  trace
    .genericEvent(at(1), 'FileIo/Name', nobody, 0, { FileKey: '0xa', FileName: LOG })
    .contextSwitch(at(8), 0, [0, 2, 0], [44, 8, blocks])
    .contextSwitch(at(9), 0, [44, WAITING, USER_REQUEST], [20, 8, blocks])
    .contextSwitch(at(11), 0, [20, WAITING, USER_REQUEST], [40, 8, blocks])
    .contextSwitch(at(12), 0, [40, WAITING, USER_REQUEST], [0, 0])
    .ioEvent(at(30), 'DiskIo/Read', nobody, {
      ...disk,
      TransferSize: 4096,
      Irp: '0x1',
      HighResResponseTime_ns: 20 * MS,
      IssuingThreadId: 20,
    })
    .readyThread(at(30) + 20_000, 0, 20, 0)
    .readyThread(at(30) + 21_000, 0, 40, 0)
    .readyThread(at(30) + 22_000, 0, 44, 0)
    .contextSwitch(at(31) + 20_000, 0, [0, 2, 0], [20, 8, { ...blocks, readyFlags: 1 }])
    .contextSwitch(at(40), 0, [20, WAITING, USER_REQUEST], [40, 8, { ...blocks, readyFlags: 1 }])
    .contextSwitch(at(41), 0, [40, WAITING, USER_REQUEST], [44, 8, { ...blocks, readyFlags: 1 }])
    .contextSwitch(at(42), 0, [44, WAITING, USER_REQUEST], [0, 0])
    .ioEvent(at(100), 'DiskIo/Write', nobody, {
      ...disk,
      TransferSize: 8192,
      Irp: '0x2',
      HighResResponseTime_ns: 2 * MS,
      IssuingThreadId: 36,
    })
    .ioEvent(at(200), 'FileIo/Create', app, { Irp: '0x5', ThreadId: 20, OpenPath: 'C:\\no' })
    .ioEvent(
      at(201),
      'FileIo/OperationEnd',
      nobody,
      {
        Irp: '0x5',
        ExtraInformation: 0,
        NtStatus: '0xc0000034',
      },
      1 * MS,
    )
    .genericEvent(at(220), 'Memory/HardFault', nobody, 0, {
      InitialTime_ts: at(215),
      ReadOffset: 0,
      VirtualAddress: '0x7ff6',
      FileObject: '0xa',
      ThreadId: 20,
      ByteCount: 4096,
    });
  return queryOf(trace.fact(whole.end, 'etw.end'));
}

const query = await diskAndFiles();

const load = (given: Readonly<Record<string, unknown>> = {}, range = whole) =>
  io.load(query, readParams(io.params, given), range);

const filled = (values: readonly number[]) =>
  Object.fromEntries([...values.entries()].filter(([, value]) => value !== 0));

const BY_APP = { process: 'app.exe', service: null, pid: 16, tid: 20, thread: null, utid: 2 };
const BY_LOG = { process: 'log.exe', service: null, pid: 32, tid: 36, thread: 'writer', utid: 4 };
const READ = { direction: 'read', size_bytes: 4096, path: LOG, priority: null, status: null };
const WRITE = { ...READ, direction: 'write', size_bytes: 8192 };

/** Numbers over durations, as far as they are one. */
const all = (ns: number) => ({ sum_ns: ns, p50_ns: ns, p90_ns: ns, p99_ns: ns, max_ns: ns });
const ONE_READ = { ...all(20 * MS), count: 1, read_bytes: 4096, written_bytes: 0 };
const ONE_WRITE = { ...all(2 * MS), count: 1, read_bytes: 0, written_bytes: 8192 };
const BOTH = { ...ONE_READ, count: 2, written_bytes: 8192, sum_ns: 22 * MS, p50_ns: 2 * MS };

test('all that is drawn of transfers of a disk, and the wait that ended with one', async () => {
  const { edges, lines, depths, histogram, ...rest } = await loadWaits(query, await load());
  expect([edges.length, edges[0], edges[300]]).toEqual([301, whole.start, whole.end]);
  expect(lines.map(({ label, counts, size_bytes }) => [label, filled(counts), filled(size_bytes)])).toEqual([
    ['disk 1 read', { 30: 1 }, { 30: 4096 }],
    ['disk 1 write', { 100: 1 }, { 100: 8192 }],
  ]);
  expect(depths.map(({ label, values }) => [label, filled(values)])).toEqual([
    [
      'disk 1',
      Object.fromEntries(
        [...Array.from({ length: 20 }, (_, ms) => 10 + ms), 98, 99].map((bucket) => [bucket, 1]),
      ),
    ],
  ]);
  expect(histogram.filter(({ count }) => count > 0).map(({ from_ns }) => Math.round(from_ns))).toEqual([
    1_995_262, 19_952_623,
  ]);
  expect(rest).toStrictEqual({
    origin_ns: START,
    unrecorded: null,
    notes: [],
    source: 'disk',
    ios: [
      { ...BY_APP, ...READ, ts: at(10), dur: 20 * MS, kind: 'read', disk: 1 },
      { ...BY_LOG, ...WRITE, ts: at(98), dur: 2 * MS, kind: 'write', disk: 1 },
    ],
    kinds: [
      { name: 'read', pid: null, disk: 1, ...ONE_READ },
      { name: 'write', pid: null, disk: 1, ...ONE_WRITE },
    ],
    paths: [{ name: LOG, pid: null, disk: null, ...BOTH }],
    path_count: 1,
    processes: [
      { name: 'app.exe (pid 16)', pid: 16, disk: null, ...ONE_READ },
      { name: 'log.exe (pid 32)', pid: 32, disk: null, ...ONE_WRITE },
    ],
    summary: { ended: 2, ...BOTH },
    waits: [{ ts: at(11), ready_ts: at(30) + 20_000, run_ts: at(31) + 20_000, readied_by: 'a DPC' }, null],
    others: [
      {
        count: 1,
        longest: [{ thread: 'log.exe (tid 40, reader)', ts: at(12), ready_ts: at(30) + 21_000 }],
      },
      null,
    ],
  });
});

test('how many were under way is a mean of each bucket, and counts what began before the range', async () => {
  const { depths, edges } = await load({}, { start: at(29.5), end: at(31.5) });
  const bucket_ns = (edges[1] ?? 0) - (edges[0] ?? 0);
  // Half a ms of one transfer is left.
  const times = depths.map(({ values }) => values.reduce((sum, value) => sum + value * bucket_ns, 0));
  expect(times).toEqual([expect.closeTo(0.5 * MS, 3)]);
});

test('operations on files and hard faults, when they are asked for', async () => {
  const [file, fault] = [await load({ source: 'file' }), await load({ source: 'hard_fault' })];
  const created = { direction: 'other', size_bytes: null, path: 'C:\\no', status: '0xc0000034' };
  expect(file.ios).toStrictEqual([
    { ...BY_APP, ...READ, ...created, ts: at(200), dur: MS, kind: 'create', disk: null },
  ]);
  expect(fault.ios).toStrictEqual([
    { ...BY_APP, ...READ, ts: at(215), dur: 5 * MS, kind: 'hard_fault', disk: null },
  ]);
  expect(file.summary.read_bytes + file.summary.written_bytes).toBe(0);
});

const found = async (given: Readonly<Record<string, unknown>>, range = whole) => {
  const { ios, processes, paths, summary } = await load(given, range);
  const sums = [processes, paths].map((groups) => groups.reduce((sum, { count }) => sum + count, 0));
  expect([summary.count, ...sums]).toEqual([ios.length, ios.length, ios.length]);
  return ios.map(({ kind }) => kind);
};

test('filters by process, thread, path, direction, duration and range', async () => {
  expect(await found({})).toEqual(['read', 'write']);
  expect(await found({ process: 'app' })).toEqual(['read']);
  expect(await found({ thread: 'WRITER' })).toEqual(['write']);
  expect(await found({ path: 'LOG.' })).toEqual(['read', 'write']);
  expect(await found({ path: 'l%g' })).toEqual([]);
  expect(await found({ direction: 'write' })).toEqual(['write']);
  expect(await found({ min_ms: 2.1 })).toEqual(['read']);
  expect(await found({}, { start: at(15), end: at(20) })).toEqual(['read']);
  expect(await found({}, { start: at(31), end: at(98) })).toEqual([]);
});

test('the list is cut off, the sums are not', async () => {
  const { ios, summary } = await load({ limit: 1 });
  expect([ios.length, summary.count, summary.written_bytes]).toEqual([1, 2, 8192]);
});

test('a still says what was read, by whom, and who waited', async () => {
  const { texts } = stillOf(io, await loadWaits(query, await load()), whole);
  expect(texts.filter((line) => /read of|thread|transfers/.test(line))).toMatchInlineSnapshot(`
    [
      "2 transfers of disks, 4.1 kB read, 8.2 kB written, 22.0 ms all together",
      "0.010000 s  read of 4.1 kB in 20.0 ms: \\Device\\HarddiskVolume2\\log.txt, app.exe (tid 20)",
      "its thread waited 19.0 ms, was readied by a DPC and ran 1.00 ms later",
      "other threads that had blocked meanwhile were readied at that moment, and may have waited for the same: log.exe (tid 40, reader) after 18.0 ms",
    ]
  `);
});

test('the tables hold a row for each I/O, process, path, bar and bucket', async () => {
  const tables = io.tables(await load());
  expect(tables.map(({ title, rows }) => [title, rows.length])).toEqual([
    ['Longest I/O', 2],
    ['All I/O', 1],
    ['By process', 2],
    ['By path', 1],
    ['By disk and kind', 2],
    ['I/O by duration', 11],
    ['I/O over time', 300],
  ]);
  expect(tables[3]?.rows).toEqual([
    ['log.txt', 2, 4096, 8192, 22 * MS, 2 * MS, 20 * MS, 20 * MS, 20 * MS, LOG],
  ]);
  expect(tables[4]?.rows).toEqual([
    [1, 'read', 1, 4096, 0, 20 * MS, 20 * MS, 20 * MS, 20 * MS, 20 * MS],
    [1, 'write', 1, 0, 8192, 2 * MS, 2 * MS, 2 * MS, 2 * MS, 2 * MS],
  ]);
});

test('where a source was not recorded, the model says what records it', async () => {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, end_ts: whole.end });
  const nothing = await queryOf(trace.fact(whole.end, 'etw.end'));
  const { unrecorded } = await io.load(nothing, readParams(io.params, { source: 'file' }), whole);
  expect(unrecorded).toBe(
    'No file operations were recorded: which files were used is not known. Record with the kernel flags FILENAME, FILE_IO and FILE_IO_INIT (in WPR: the FileIO profile).',
  );
});

test('a window has the ends of paths, and columns of waits only where a wait is known', async () => {
  const model = await load({ source: 'file' });
  const names = ({ columns }: ReturnType<typeof shownIos>) => columns.map(({ name }) => name);
  const common = ['ts', 'dur', 'kind', 'size_bytes', 'file', 'process', 'tid', 'status'];
  expect(names(shownIos(model)).filter((name) => name !== 'pid')).toEqual(common);
  const wait = { ts: 1, ready_ts: 2, run_ts: null, readied_by: null };
  const [ts = '', dur = '', ...others] = common;
  expect(names(shownIos({ ...model, waits: [wait] }))).toEqual([ts, dur, 'waited_ns', 'others', ...others]);
  expect(endOfPath('\\Device\\HarddiskVolume3\\Data\\log.txt', 20)).toBe('…\\Data\\log.txt');
  expect(endOfPath('\\a\\a-name-that-is-too-long-for-it.txt', 20)).toBe(
    '…\\a-name-that-is-too-long-for-it.txt',
  );
});

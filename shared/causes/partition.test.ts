import { expect, test } from 'vitest';
import type { RunSample, TraceWriter } from '../engine/testing/trace-writer.ts';
import { partition } from './partition.ts';
import { DELAY_EXECUTION, START, Story, SUSPENDED, TERMINATED, USER_REQUEST, WAITING } from './testing.ts';

test('a thread that blocks owes its wait to what the thread did that ended it', async () => {
  const story = new Story(2, 1000).runs(1, 10, 20).runs(2, 5, 100).wakes(90, 2, 1).runs(1, 91, 120);
  expect(await story.parts(1, 10, 120)).toEqual([
    '10-20 1 ran',
    '20-90 2 ran',
    '90-91 1 idle_wake_up',
    '91-120 1 ran',
  ]);
});

test('nested locks: the innermost holder owns the time, and each before it the rest', async () => {
  const story = new Story(3, 1000)
    .runs(1, 10, 20)
    .runs(2, 5, 40)
    .runs(3, 5, 80)
    .wakes(79, 3, 2)
    .runs(2, 80, 120)
    .wakes(110, 2, 1)
    .runs(1, 111, 130);
  expect(await story.parts(1, 10, 130)).toEqual([
    '10-20 1 ran',
    '20-40 2 ran',
    '40-79 3 ran',
    '79-80 2 idle_wake_up',
    '80-110 2 ran',
    '110-111 1 idle_wake_up',
    '111-130 1 ran',
  ]);
});

test('two threads that wait for one owe it the same time, each its own', async () => {
  const story = new Story(3, 1000)
    .runs(1, 10, 20)
    .runs(2, 10, 30)
    .runs(3, 5, 90)
    .wakes(80, 3, 1)
    .wakes(81, 3, 2)
    .runs(1, 82, 100)
    .runs(2, 83, 100);
  expect(await story.parts(1, 20, 82)).toEqual(['20-80 3 ran', '80-82 1 idle_wake_up']);
  expect(await story.parts(2, 20, 83)).toEqual(['20-30 2 ran', '30-81 3 ran', '81-83 2 idle_wake_up']);
});

test('a delay may end while its thread is blocked: who wakes it later owns the time', async () => {
  const story = new Story(3, 5000)
    .runs(1, 10, 20)
    .runs(2, 30, 40)
    .runs(2, 3000, 3100)
    .wakes(3050, 2, 1)
    .runs(1, 3051, 3100);
  expect(await story.parts(1, 15, 60)).toEqual([
    '15-20 1 ran',
    '20-30 2 not_recorded (what the thread did)',
    '30-40 2 ran',
    '40-60 2 not_recorded (who woke the thread)',
  ]);
  expect(await story.parts(3, 15, 60)).toEqual(['15-60 3 not_recorded (who woke the thread)']);
});

test('a chain through a DPC ends at it; its driver is named', async () => {
  const story = new Story(2, 1000)
    .source(1, 'dpc', '\\ndis.sys')
    .runs(1, 10, 20)
    .runs(2, 10, 30)
    .wakes(50, 0, 2)
    .at(52, (trace, ts) => trace.interrupt(ts, 0, 1, 4000))
    .runs(2, 53, 90)
    .wakes(80, 2, 1)
    .runs(1, 81, 90);
  expect(await story.parts(1, 20, 81)).toEqual([
    '20-30 2 ran',
    '30-50 2 device (\\ndis.sys)',
    '50-53 2 idle_wake_up',
    '53-80 2 ran',
    '80-81 1 idle_wake_up',
  ]);
});

test('a transfer of the thread that is done as the thread is woken owns the wait; a sleep is its own', async () => {
  const app = [4, 1] as const;
  const disk = {
    DiskNumber: 0,
    ByteOffset: 0,
    TransferSize: 4096,
    FileObject: '0xa',
    Irp: '0x1',
    IssuingThreadId: 1,
  };
  const story = new Story(1, 1000)
    .at(1, (trace, ts) =>
      trace.genericEvent(ts, 'FileIo/FileCreate', [0, 0], 0, { FileKey: '0xa', FileName: '\\a.txt' }),
    )
    .runs(1, 10, 20)
    .at(15, (trace, ts) => trace.ioEvent(ts, 'DiskIo/ReadInit', app, { Irp: '0x1' }))
    .at(60, (trace, ts) =>
      trace.ioEvent(ts, 'DiskIo/Read', app, { ...disk, HighResResponseTime_ns: 45_000 }, 45_000),
    )
    .wakes(61, 0, 1)
    .runs(1, 62, 70, DELAY_EXECUTION)
    .wakes(90, 0, 1)
    .runs(1, 91, 99);
  expect(await story.parts(1, 10, 99)).toEqual([
    '10-20 1 ran',
    '20-61 1 disk (\\a.txt)',
    '61-62 1 idle_wake_up',
    '62-70 1 ran',
    '70-90 1 timer',
    '90-91 1 idle_wake_up',
    '91-99 1 ran',
  ]);
});

test('a freeze owns the wait of a thread that was suspended for it, and of one that was ready', async () => {
  const freeze = (id: 11 | 12) => (trace: TraceWriter, ts: number) =>
    trace.genericEvent(ts, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', [4, 2], id, {
      FrozenProcessID: 4,
    });
  const story = new Story(2, 1000)
    .runs(1, 10, 20, SUSPENDED)
    .runs(2, 2, 5)
    .at(30, freeze(11))
    .wakes(40, 0, 2)
    .at(60, freeze(12))
    .runs(2, 61, 80)
    .wakes(70, 2, 1)
    .runs(1, 71, 80);
  expect(await story.parts(1, 20, 71)).toEqual([
    '20-30 2 device (wait reason UserRequest)',
    '30-60 1 frozen',
    '60-61 2 idle_wake_up',
    '61-70 2 ran',
    '70-71 1 idle_wake_up',
  ]);
});

test('lost events and sleep own their time, whatever the thread was in', async () => {
  const power = (ts: number, name: string, id: number) => (trace: TraceWriter) =>
    trace.genericEvent(ts, name, [0, 0], id, { PerformanceCounter: ts, PerformanceFrequency: 1e9 });
  const story = new Story(2, 1000)
    .at(0, (trace, ts) =>
      trace.fact(ts + 30_000, 'etw.loss', { kind: 'lost_buffers', cpu: 0, dur_ns: 10_000 }),
    )
    .runs(1, 10, 20)
    .runs(2, 5, 90)
    .at(50, power(START + 50_000, 'Power/PreSleep', 0x1230))
    .at(60, power(START + 60_000, 'Power/PostSleep', 0x1231))
    .wakes(80, 2, 1)
    .runs(1, 81, 90);
  expect(await story.parts(1, 10, 81)).toEqual([
    '10-20 1 ran',
    '20-30 2 ran',
    '30-40 1 not_recorded (lost events)',
    '40-50 2 ran',
    '50-60 1 asleep',
    '60-80 2 ran',
    '80-81 1 idle_wake_up',
  ]);
});

test('threads that woke each other at one time explain nothing, and the walk ends', async () => {
  const story = new Story(2, 1000)
    .runs(1, 10, 20)
    .runs(2, 10, 20)
    .wakes(50, 2, 1)
    .wakes(50, 1, 2)
    .runs(1, 60, 70)
    .runs(2, 60, 70);
  expect(await story.parts(1, 20, 50)).toEqual([
    '20-50 2 not_explained (threads woke each other at one time)',
  ]);
});

test('what a thread did after its end is not explained', async () => {
  const story = new Story(1, 1000).runs(1, 10, 20, USER_REQUEST, TERMINATED);
  expect(await story.parts(1, 10, 40)).toEqual([
    '10-20 1 ran',
    '20-40 1 not_explained (the thread had ended)',
  ]);
});

test('a chain of 10,000 threads is followed to its beginning', async () => {
  const length = 10_000;
  const story = new Story(2, 10 * length + 1000);
  // Two CPUs are enough: each thread runs while the one before it has just blocked.
  const query = await longChain(story, length);
  const rows = [...(await query('SELECT utid FROM thread WHERE tid = :tid', { tid: 100 + length })).rows()];
  const delay = { utid: Number(rows[0]?.utid), ts: START + 2000, te: START + (10 * length + 5) * 1000 };
  const { parts, blocks } = await partition(query, delay);
  expect(parts.reduce((sum, { ts, te }) => sum + te - ts, 0)).toBe(delay.te - delay.ts);
  expect(Math.max(...blocks.map(({ depth }) => depth))).toBe(length - 2);
  expect(parts.filter(({ owner }) => owner === 'ran').length).toBeGreaterThanOrEqual(length - 1);
});

/** Each thread is woken by the one before, 10 µs later. */
function longChain(story: Story, length: number) {
  const sample: RunSample = { rank: 0, outPriority: 8, waitReason: USER_REQUEST, state: WAITING };
  story.at(0, (trace) => {
    for (let at = 1; at <= length; at++) trace.thread(START, null, { tid: 100 + at, pid: 4 });
  });
  for (let at = 1; at <= length; at++) {
    const [tid, cpu] = [100 + at, at % 2];
    if (at > 1) story.at(10 * at, (trace, ts) => trace.readyThread(ts, 1 - cpu, tid, tid - 1));
    story.at(10 * at + 1, (trace, ts) => trace.contextSwitch(ts, cpu, [0, 2, 0], [tid, 8, sample]));
    story.at(10 * at + 12, (trace, ts) => trace.contextSwitch(ts, cpu, [tid, WAITING, USER_REQUEST], [0, 0]));
  }
  return story.query();
}

test.each([
  [{ ts: 5000, te: 5000 }, 'a delay ends after it begins'],
  [{ ts: 0, te: 5000 }, 'a delay lies within the recording: it begins or ends outside'],
])('a delay that cannot be is refused: %o', async (stretch, message) => {
  const query = await new Story(1, 1000).runs(1, 10, 20).query();
  await expect(partition(query, { utid: 1, ...stretch })).rejects.toThrow(new RangeError(message));
});

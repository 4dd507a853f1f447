import { expect, test } from 'vitest';
import {
  formatBytes,
  formatCell,
  formatCount,
  formatCpuTime,
  formatDuration,
  formatExitCode,
  formatLocalTime,
  formatTime,
  formatTimeTick,
} from './index.ts';

test.each([
  [0, '0 ns'],
  [850, '850 ns'],
  [1_000, '1.00 µs'],
  [12_340, '12.3 µs'],
  [999_999, '1.00 ms'],
  [14_200_000, '14.2 ms'],
  [19_493_004_100, '19.493 s'],
  [155_949_000_000, '155.9 s'],
  [1_234_000_000_000, '1,234 s'],
  [-2_000, '−2.00 µs'],
  [-0.4, '0 ns'],
])('a duration of %d ns reads %s', (duration_ns, text) => {
  expect(formatDuration(duration_ns)).toBe(text);
});

test('CPU time reads in seconds from 0.1 s on', () => {
  expect([5e7, 1e8, 155_949_000_000].map(formatCpuTime)).toEqual(['50.0 ms', '0.1 s', '155.9 s']);
});

test('times count from the start of the trace, to the microsecond', () => {
  expect(formatTime(31_333_421_000, 1_000_000_000)).toBe('30.333421 s');
});

test('thousands of seconds are marked, as in durations', () => {
  const ts = 29_525_250_000_000;
  expect([formatTime(ts, 1e9), formatTimeTick(ts, 1e9, 1e8), formatTimeTick(ts, 1e9, 5e12)]).toEqual([
    '29,524.250000 s',
    '29,524.3 s',
    '29,524 s',
  ]);
  expect(formatTime(0, 1_234_500_000_000)).toBe('-1,234.500000 s');
});

test.each([
  [1e10, '30 s'],
  [1e9, '30 s'],
  [5e8, '30.3 s'],
  [1e6, '30.333 s'],
  [2e5, '30.3334 s'],
])('a tick every %d ns reads %s', (step_ns, text) => {
  expect(formatTimeTick(31_333_421_000, 1_000_000_000, step_ns)).toBe(text);
});

test('counts and sizes', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect([0, 999, 1_200, 1_234_567_890].map(formatBytes)).toEqual(['0 B', '999 B', '1.2 kB', '1.2 GB']);
});

test('a cell reads by the kind of its column', () => {
  expect([
    formatCell(null, 'count', 0),
    formatCell('LockApp.exe', 'text', 0),
    formatCell('\u202eexe.drowssap', 'text', 0),
    formatCell(19_493_000_000, 'duration_ns', 0),
    formatCell(31_000_000_000, 'time_ns', 1_000_000_000),
    formatCell(0.125, 'share', 0),
    formatCell(1.23456, 'number', 0),
    formatCell(12345.6, 'number', 0),
    formatCell(2_500_000, 'bytes', 0),
    formatCell(9_007_199_254_740_993n, 'count', 0),
    formatCell(new Uint8Array(3), 'text', 0),
  ]).toEqual([
    '–',
    'LockApp.exe',
    'exe.drowssap',
    '19.493 s',
    '30.000000 s',
    '12.5 %',
    '1.235',
    '12,346',
    '2.5 MB',
    '9,007,199,254,740,993',
    '3 bytes',
  ]);
});

test('an exit code beyond 255 reads in hexadecimal, as Windows names it', () => {
  expect([null, 0, 255, 256, 3221225477, -1073741819].map(formatExitCode)).toEqual([
    null,
    '0',
    '255',
    '0x100',
    '0xC0000005',
    '0xC0000005',
  ]);
});

test.each([
  [0, '2022-06-18 04:26 UTC'],
  [null, '2022-06-18 04:26 UTC'],
  [120, '2022-06-18 06:26 UTC+2'],
  [-210, '2022-06-18 00:56 UTC−3:30'],
])('the time of a machine %s minutes ahead of UTC', (offset_minutes, text) => {
  expect(formatLocalTime(Date.UTC(2022, 5, 18, 4, 26, 40), offset_minutes)).toBe(text);
});

test('a time that no calendar has is none', () => {
  expect(formatLocalTime(1e300, 0)).toBeNull();
});

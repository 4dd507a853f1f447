import { expect, test } from 'vitest';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { shippedRules } from './index.ts';
import { findIn, found, MS, START } from './testing.ts';

const END = START + 1000 * MS;
/** A sample's value: it stands for 1 ms. */
const ONE_MS = 10_000 * 2 ** 16;

/** One sample a ms; `pick` says in which stack, and whether in the kernel. */
function sampled(
  frames: readonly (readonly [number, number, string?])[],
  stacks: readonly (readonly number[])[],
  samples: readonly { readonly stack: number; readonly isKernel: boolean }[],
): TraceWriter {
  const modules = [
    ['\\Windows\\System32\\wbem\\wbemcore.dll', 0x10000, 0x90000],
    ['\\Windows\\System32\\drivers\\slow.sys', 0x100000, 0x190000],
  ] as const;
  const trace = new TraceWriter().start(START, START);
  trace
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: END })
    .process(START, 'wmi.exe', '', { pid: 16 })
    .thread(START, null, { tid: 20, pid: 16 })
    .beginSamples(START + MS, modules, frames, stacks);
  samples.forEach((sample, index) =>
    trace.sample(START + 2 * MS + index * MS, 0, [16, 20], { ...sample, value: ONE_MS }),
  );
  return trace;
}

const user = (stack: number) => ({ stack, isKernel: false });

test('hot loop: half of 200 samples within 128 bytes, across a border of 64', async () => {
  const elsewhere = Array.from({ length: 150 }, (_, index) => [0, 0x8000 + index * 256] as const);
  const frames = [[0, 0x1230], [0, 0x1250], ...elsewhere] as const;
  const stacks = frames.map((_, index) => [index]);
  const run = (hot: number) => {
    const loop = Array.from({ length: hot }, (_, index) => user(index % 2));
    const rest = Array.from({ length: 200 - hot }, (_, index) => user(2 + index));
    return found('hot-loop', sampled(frames, stacks, [...loop, ...rest]), END);
  };
  expect(await run(100)).toEqual([
    [
      0.1,
      '50.0 % of the samples of wmi.exe (pid 16) are within 128 bytes of wbemcore.dll+0x1200: 100 samples, 100 ms of CPU time.',
    ],
  ]);
  expect(await run(99)).toEqual([]);
});

test('much time in the kernel: above 10 % of what the CPUs have', async () => {
  const run = (kernel: number) => {
    const samples = Array.from({ length: 101 }, (_, index) => ({ stack: 0, isKernel: index < kernel }));
    return found('kernel-share', sampled([[0, 0x1000]], [[0]], samples), END);
  };
  expect(await run(11)).toEqual([
    [0.001, '11.0 % of all CPU time was in the kernel, 11.0 ms; most of it in wmi.exe (pid 16), 11.0 ms.'],
  ]);
  expect(await run(10)).toEqual([]);
});

test('driver that waits in a loop: 1 ms of samples in a stall', async () => {
  const run = (name: string) => {
    const frames = [
      [1, 0x2000, 'ReadRegister'],
      [0, 0x100, name],
    ] as const;
    return found('driver-stall', sampled(frames, [[0, 1]], [{ stack: 0, isKernel: true }]), END);
  };
  expect(await run('KeStallExecutionProcessor')).toEqual([
    [0.001, 'slow.sys let a CPU spin for 1.00 ms in KeStallExecutionProcessor, 1 sample.'],
  ]);
  expect(await run('KeDelayExecutionThread')).toEqual([]);
});

test('driver that waits in a loop: not checked where only code that is no kernel code has names', async () => {
  const frames = [
    [0, 0x100, 'Acme.Page.Layout'],
    [1, 0x2000],
  ] as const;
  const samples = [user(0), { stack: 1, isKernel: true }];
  const rules = shippedRules.filter(({ name }) => name === 'driver-stall.sql');
  const { checked, not_checked } = await findIn(sampled(frames, [[0], [1]], samples), END, rules);
  expect({ checked, not_checked }).toEqual({
    checked: [],
    not_checked: [
      {
        id: 'driver-stall',
        title: 'Driver that waits in a loop',
        needs: ['symbol files of the kernel and of drivers (the panel Symbols, or --symbols PATH)'],
      },
    ],
  });
});

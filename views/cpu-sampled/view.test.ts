import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import type { CpuSampledModel } from './model.ts';
import { cpuSampled } from './view.ts';

const whole = { start: 1000, end: 9000 };
const APP = '\\Windows\\app.exe';
const NT = '\\Windows\\nt.exe';
/** Rank 2, priority 14, 1 ms. */
const VALUE = 2 + 14 * 2 ** 8 + 2 ** 13 + 10_000 * 2 ** 16;
const IN_DPC = 2 ** 14;

const query = await queryOf(
  new TraceWriter()
    .start(1000, 1_700_000_000_000_000_000)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 9000 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .process(1000, 'other.exe', '', { pid: 32 })
    .thread(1000, 'pump', { tid: 36, pid: 32 })
    .beginSamples(
      1000,
      [
        [APP, 0x1000, 0x9000],
        [NT, 0x10000, 0x20000],
        // The same file at another address of another process.
        [APP, 0x50000, 0x58000],
      ],
      [
        [0, 0x10, 'main'],
        [0, 0x24, 'work'],
        [0, 0x28, 'work'],
        [1, 0x100],
        [2, 0x10],
        [2, 0x28],
      ],
      [
        [0, 1],
        [0, 2],
        [0, 1, 3],
        [4, 5],
      ],
    )
    .sample(2000, 0, [16, 20], { stack: 0, isKernel: false, value: VALUE })
    .sample(3000, 0, [16, 20], { stack: 1, isKernel: false, value: VALUE })
    .sample(4000, 0, [16, 20], { stack: 2, isKernel: true, value: VALUE })
    .sample(5000, 0, [16, 20], { stack: 2, isKernel: true, value: VALUE + IN_DPC })
    .sample(6000, 1, [32, 36], { stack: 3, isKernel: false, value: 255 + 10_000 * 2 ** 16 })
    .flush(7000)
    .fact(9000, 'etw.end'),
);

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  cpuSampled.load(query, readParams(cpuSampled.params, given), range);

const key = expect.any(Number) as number;

test('all that is drawn: two return addresses of a function are one frame', async () => {
  expect(await load({ process: 'APP' })).toEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [
      'There are no symbols: native code is named by its module and the address in it. They come from symbol files (the panel Symbols, or --symbols PATH).',
    ],
    samples: 4,
    all_samples: 5,
    interval_ns: 1_000_000,
    modes: { user: 2, kernel: 1, dpc: 1, isr: 0 },
    root: {
      key,
      label: 'all',
      module: '',
      samples: 4,
      self: 0,
      children: [
        {
          key,
          label: 'app.exe (pid 16)',
          module: '',
          samples: 4,
          self: 0,
          children: [
            {
              key,
              label: 'app.exe!main',
              module: 'app.exe',
              samples: 4,
              self: 0,
              children: [
                {
                  key,
                  label: 'app.exe!work',
                  module: 'app.exe',
                  samples: 4,
                  self: 2,
                  children: [
                    { key, label: 'nt.exe+0x100', module: 'nt.exe', samples: 2, self: 2, children: [] },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    groups: [{ label: 'app.exe (pid 16)', samples: 4, modes: { user: 2, kernel: 1, dpc: 1, isr: 0 } }],
    functions: [
      { label: 'app.exe!work', module: 'app.exe', self: 2, samples: 4 },
      { label: 'nt.exe+0x100', module: 'nt.exe', self: 2, samples: 2 },
      { label: 'app.exe!main', module: 'app.exe', self: 0, samples: 4 },
    ],
    function_count: 3,
    butterfly: {
      chosen: { label: 'app.exe!work', module: 'app.exe', self: 2, samples: 4 },
      callers: [{ label: 'app.exe!main', samples: 4 }],
      caller_count: 1,
      callees: [
        { label: 'itself', samples: 2 },
        { label: 'nt.exe+0x100', samples: 2 },
      ],
      callee_count: 2,
    },
    hot_loops: [],
  } satisfies CpuSampledModel);
});

test('a search, another shape or a zoom count nothing anew', async () => {
  const model = await load({});
  expect(await load({ search: 'work', shape: 'flame', zoom: 1 })).toBe(model);
  expect(await load({ search: 'work', process: 'app' })).not.toBe(model);
});

test('groups by each grouping', async () => {
  const groups = async (by: string) =>
    (await load({ by })).groups.map(({ label, samples }) => `${label}: ${samples}`);
  expect(await groups('process')).toEqual(['app.exe (pid 16): 4', 'other.exe (pid 32): 1']);
  expect(await groups('thread')).toEqual(['app.exe (tid 20): 4', 'other.exe (tid 36, pump): 1']);
  expect(await groups('module')).toEqual(['app.exe: 3', 'nt.exe: 2']);
  expect(await groups('priority')).toEqual(['priority 14: 4', 'priority not recorded: 1']);
  expect(await groups('rank-priority')).toEqual([
    'rank 2, priority 14: 4',
    'rank not recorded, priority not recorded: 1',
  ]);
  expect(await groups('none')).toEqual(['all samples: 5']);
});

test('frames by module are joined, and by address keep the same place of a file at two addresses one', async () => {
  const functions = async (frames: string) =>
    (await load({ frames })).functions.map(({ label, self, samples }) => `${label}: ${self} ${samples}`);
  expect(await functions('module')).toEqual(['app.exe: 3 5', 'nt.exe: 2 2']);
  expect(await functions('address')).toEqual([
    'app.exe+0x28 work: 2 2',
    'nt.exe+0x100: 2 2',
    'app.exe+0x24 work: 1 3',
    'app.exe+0x10 main: 0 5',
  ]);
  const [app] = (await load({ frames: 'module', by: 'none' })).root.children;
  expect(app?.children).toMatchObject([
    { label: 'app.exe', samples: 5, self: 3, children: [{ label: 'nt.exe', samples: 2, children: [] }] },
  ]);
});

test.each([
  ['mode', { mode: 'dpc' }, 1],
  ['thread', { tid: 36 }, 1],
  ['module', { module: 'nt' }, 2],
  ['process', { process: 'nobody' }, 0],
])('filters by %s', async (_, given, samples) => {
  expect((await load(given)).samples).toBe(samples);
});

test('a range takes the samples from its start on and before its end', async () => {
  expect((await load({}, { start: 3000, end: 5000 })).samples).toBe(2);
});

test('a still is one SVG with the frames named', async () => {
  expect(stillOf(cpuSampled, await load({}), whole).texts).toEqual([
    'CPU usage, sampled',
    'There are no symbols: native code is named by its module and the address in it. They come from symbol files (the panel Symbols, or --symbols PATH).',
    'samples 5, CPU time 5.00 ms, user 60.0 %, kernel 20.0 %, DPC 20.0 %, ISR 0.0 %',
    'all',
    'app.exe (pid 16)',
    'other.exe (pid 32)',
    'app.exe!main',
    'app.exe!main',
    'app.exe!work',
    'app.exe!work',
    'nt.exe+0x100',
  ]);
});

test.each([
  [
    'with a sample',
    [{ ts: 2000, stack: 1, isKernel: false, value: VALUE }],
    'No stacks of samples were recorded: callers are not known. Record with the kernel flag PROFILE and stacks of Profile, CSwitch and ReadyThread (in WPR: the CPU profile).',
  ],
  [
    'alone',
    [],
    'No profile samples were recorded: which code ran is not known. Record with the kernel flag PROFILE and stacks of Profile, CSwitch and ReadyThread (in WPR: the CPU profile).',
  ],
] as const)('stacks of events %s are no stacks of samples', async (_, samples, note) => {
  const STACK_OF_SWITCH = 2 ** 48 + 2 ** 18 + 2 ** 16 + 0x0524;
  const trace = new TraceWriter()
    .start(1000, 1_700_000_000_000_000_000)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 9000 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .beginSamples(
      1000,
      [[APP, 0x1000, 0x9000]],
      [
        [0, 0x10, 'main'],
        [0, 0x24, 'work'],
      ],
      [[0, 1], [1]],
    );
  for (const { ts, ...sample } of samples) trace.sample(ts, 0, [16, 20], sample);
  trace.sample(3000, 0, [16, 20], { stack: 0, isKernel: true, value: STACK_OF_SWITCH });
  const ask = await queryOf(trace.flush(7000).fact(9000, 'etw.end'));
  expect((await cpuSampled.load(ask, readParams(cpuSampled.params, {}), whole)).notes).toContain(note);
});

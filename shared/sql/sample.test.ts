import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

const APP = '\\Windows\\app.exe';
/** Rank 2, priority 14, in an ISR, 1 ms. */
const VALUE = 2 + 14 * 2 ** 8 + 2 ** 13 + 2 ** 15 + 10_000 * 2 ** 16;
/** Nothing recorded. */
const BARE = 255;
/** Bits of the stacks of events. */
const STACK = 2 ** 48;
const HAS_CPU = 2 ** 18;
const PROVIDER = 2 ** 17;
const KERNEL = 2 ** 16;

let processor: TraceProcessor;
beforeAll(async () => {
  const trace = new TraceWriter()
    .start(1000, 1_700_000_000_000_000_000)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 2000 })
    .process(1000, 'app.exe', 'app.exe', { pid: 16, parent_pid: 4 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .fact(1000, 'etw.image', { base: 0x5000, size: 0x100, path: '\\nt', load_ts: 1100 })
    .fact(1000, 'etw.image', {
      pid: 99,
      base: 0x1000,
      size: 0x1000,
      path: APP,
      pdb: 'app.pdb',
      guid: '3304ffa1-d932-4925-a38d-fcaf4cafb624',
      age: 3,
      timestamp: 77,
      unload_ts: 1900,
    })
    .beginSamples(
      1000,
      [
        ['', 0, 0],
        [APP, 0x1000, 0x2000],
      ],
      [
        [1, 0x10],
        [0, 0x9999],
        [1, 0x20],
      ],
      [[0, 1], [2]],
    )
    .sample(1200, 1, [16, 20], { stack: 0, isKernel: true, value: VALUE })
    .sample(1300, 0, [16, 20], { stack: 1, isKernel: false, value: BARE })
    .sample(1400, 1, [16, 20], { stack: 0, isKernel: true, value: STACK + HAS_CPU + KERNEL + 0x0301 })
    .sample(1500, 1, [16, 20], { stack: 1, isKernel: false, value: STACK + HAS_CPU + PROVIDER })
    .sample(1550, 1, [16, 20], { stack: 1, isKernel: true, value: STACK + HAS_CPU + KERNEL + 0x0f44 })
    .sample(1600, 0, [16, 20], { stack: 1, isKernel: false, value: STACK })
    .sample(1700, 1, [16, 20], { stack: 1, isKernel: false, value: 2 ** 49 + 10 + 4096 * 2 ** 16 })
    .sample(1710, 1, [16, 20], { stack: 1, isKernel: false, value: 2 ** 49 + 11 })
    .fact(1100, 'etw.profile_interval', { source: 0, source_name: 'Timer', interval: 10_000 })
    .fact(1650, 'etw.profile_interval', { source: 10, source_name: 'CacheMisses', interval: 4096 })
    .flush(1300)
    .fact(2000, 'etw.end');
  processor = await processorWith(trace.finish());
});

test('etw_sample has every sample with what was recorded of it', () => {
  const sql = `SELECT ts, cpu, (SELECT tid FROM thread AS t WHERE t.utid = s.utid) AS tid, priority, rank, in_dpc, in_isr,
    is_kernel, callsite, weight_ns FROM etw_sample AS s`;
  expect(rowsOf(processor, sql)).toEqual([
    {
      ts: 1200,
      cpu: 1,
      tid: 20,
      priority: 14,
      rank: 2,
      in_dpc: 0,
      in_isr: 1,
      is_kernel: 1,
      callsite: 1,
      weight_ns: 1_000_000,
    },
    {
      ts: 1300,
      cpu: 0,
      tid: 20,
      priority: null,
      rank: null,
      in_dpc: 0,
      in_isr: 0,
      is_kernel: 0,
      callsite: 2,
      weight_ns: null,
    },
  ]);
});

test('etw_event_stack has the stacks of everything else, with what they belong to', () => {
  const sql = `SELECT ts, cpu, (SELECT tid FROM thread AS t WHERE t.utid = s.utid) AS tid, kind, event_id, callsite
    FROM etw_event_stack AS s`;
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1400, cpu: 1, tid: 20, kind: 'process', event_id: 0x0301, callsite: 1 },
    { ts: 1500, cpu: 1, tid: 20, kind: 'event', event_id: null, callsite: 2 },
    { ts: 1550, cpu: 1, tid: 20, kind: 'interrupt', event_id: 0x0f44, callsite: 2 },
    { ts: 1600, cpu: null, tid: 20, kind: null, event_id: null, callsite: 2 },
  ]);
});

test('etw_pmc_sample has the samples of hardware counters, and etw_profile_interval the intervals of all', () => {
  const sql = `SELECT ts, cpu, source, source_name, is_kernel, callsite, weight_events FROM etw_pmc_sample`;
  const sample = { cpu: 1, is_kernel: 0, callsite: 2 };
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1700, source: 10, source_name: 'CacheMisses', weight_events: 4096, ...sample },
    { ts: 1710, source: 11, source_name: null, weight_events: null, ...sample },
  ]);
  expect(rowsOf(processor, 'SELECT * FROM etw_profile_interval')).toEqual([
    { ts: 1100, source: 0, source_name: 'Timer', interval_ns: 1_000_000, interval_events: null },
    { ts: 1650, source: 10, source_name: 'CacheMisses', interval_ns: null, interval_events: 4096 },
  ]);
});

test('etw_stack_frame is a tree, and etw_stack lists one stack, the innermost frame first', () => {
  const app = { module: APP, function: null };
  const generated = { module: null, function: null, rva: null, address: 0x9999 };
  expect(rowsOf(processor, 'SELECT * FROM etw_stack_frame')).toEqual([
    { callsite: 0, caller: null, depth: 0, ...app, rva: 0x10, address: 0x1010, frame: 0 },
    { callsite: 1, caller: 0, depth: 1, ...generated, frame: 1 },
    { callsite: 2, caller: null, depth: 0, ...app, rva: 0x20, address: 0x1020, frame: 2 },
  ]);
  expect(rowsOf(processor, 'SELECT * FROM etw_stack(1)')).toEqual([
    { callsite: 1, depth: 1, ...generated },
    { callsite: 0, depth: 0, ...app, rva: 0x10, address: 0x1010 },
  ]);
});

test('the functions of etw_stack_frame are those of etw_symbol', () => {
  rowsOf(
    processor,
    `CREATE OR REPLACE PERFETTO TABLE etw_symbol AS
     SELECT 2 AS frame, 'Page::layout' AS function, 'page.cpp' AS file, 42 AS line`,
  );
  expect(rowsOf(processor, 'SELECT callsite, function FROM etw_stack_frame')).toEqual([
    { callsite: 0, function: null },
    { callsite: 1, function: null },
    { callsite: 2, function: 'Page::layout' },
  ]);
});

test('etw_image has what identifies an image and its symbols', () => {
  expect(rowsOf(processor, 'SELECT * FROM etw_image')).toEqual([
    {
      upid: null,
      is_kernel: 1,
      base: 0x5000,
      size_bytes: 0x100,
      path: '\\nt',
      pdb: null,
      guid: null,
      age: null,
      timestamp: null,
      checksum: null,
      original_name: null,
      load_ts: 1100,
      unload_ts: null,
    },
    {
      upid: null,
      is_kernel: 0,
      base: 0x1000,
      size_bytes: 0x1000,
      path: APP,
      pdb: 'app.pdb',
      guid: '3304ffa1-d932-4925-a38d-fcaf4cafb624',
      age: 3,
      timestamp: 77,
      checksum: null,
      original_name: null,
      load_ts: null,
      unload_ts: 1900,
    },
  ]);
});

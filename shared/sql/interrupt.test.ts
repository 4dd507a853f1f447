import { beforeAll, expect, test } from 'vitest';
import { processorWith, rowsOf } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import type { TraceProcessor } from '../engine/processor.ts';

let processor: TraceProcessor;
beforeAll(async () => {
  const trace = new TraceWriter()
    .start(1000, 0)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 80e9 })
    .fact(1100, 'etw.interrupt_source', {
      source: 1,
      kind: 'isr',
      routine: 0x5010,
      module: '\\ndis.sys',
      rva: 0x10,
      return_value: 1,
      vector: 81,
    })
    .fact(1101, 'etw.interrupt_source', { source: 2, kind: 'dpc', routine: 0x9020 })
    // On CPU 3 a DPC from 1200 to 1900, and within it an ISR of 300 that another of 100 interrupts; then one of 20.
    .interrupt(1350, 3, 1, 100)
    .interrupt(1500, 3, 1, 300)
    .interrupt(1600, 0, 1, 50)
    .interrupt(1800, 3, 1, 20)
    .interrupt(1900, 3, 2, 700)
    .interrupt(2000, 3, 0, 100)
    // A sample has room for 68.7 s.
    .fact(80e9, 'etw.long_interrupt', { cpu: 0, dur_ns: 77e9 })
    .interrupt(80e9, 0, 2, 2 ** 36 - 1)
    .fact(80e9 + 1, 'etw.end');
  processor = await processorWith(trace.finish());
});

test('etw_interrupt has spans from their starts, and what each took for itself', () => {
  const sql = 'SELECT ts, dur, cpu, kind, exclusive_ns FROM etw_interrupt ORDER BY ts, dur DESC';
  expect(rowsOf(processor, sql)).toEqual([
    { ts: 1200, dur: 700, cpu: 3, kind: 'dpc', exclusive_ns: 380 },
    { ts: 1200, dur: 300, cpu: 3, kind: 'isr', exclusive_ns: 200 },
    { ts: 1250, dur: 100, cpu: 3, kind: 'isr', exclusive_ns: 100 },
    { ts: 1550, dur: 50, cpu: 0, kind: 'isr', exclusive_ns: 50 },
    { ts: 1780, dur: 20, cpu: 3, kind: 'isr', exclusive_ns: 20 },
    { ts: 1900, dur: 100, cpu: 3, kind: null, exclusive_ns: 100 },
    { ts: 3e9, dur: 77e9, cpu: 0, kind: 'dpc', exclusive_ns: 77e9 },
  ]);
});

test('etw_interrupt says what ran', () => {
  const sql = `SELECT DISTINCT kind, printf('%x', routine) AS routine, module, rva, vector, return_value, message
    FROM etw_interrupt WHERE kind IS NOT NULL ORDER BY kind`;
  expect(rowsOf(processor, sql)).toEqual([
    {
      kind: 'dpc',
      routine: '9020',
      module: null,
      rva: null,
      vector: null,
      return_value: null,
      message: null,
    },
    {
      kind: 'isr',
      routine: '5010',
      module: '\\ndis.sys',
      rva: 16,
      vector: 81,
      return_value: 1,
      message: null,
    },
  ]);
});

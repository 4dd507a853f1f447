import { expect, test } from 'vitest';
import { makeQuery } from '../engine/index.ts';
import { processorWith } from '../engine/testing/start.ts';
import { TraceWriter } from '../engine/testing/trace-writer.ts';
import { loadCalls } from './load-calls.ts';

test('calls, frames and functions, also where the address is no place of an image', async () => {
  const trace = new TraceWriter()
    .start(1000, 1_700_000_000_000_000_000)
    .fact(1000, 'etw.trace', { schema: 1, end_ts: 9000 })
    .process(1000, 'app.exe', '', { pid: 16 })
    .thread(1000, null, { tid: 20, pid: 16 })
    .beginSamples(
      1000,
      [
        ['\\app.exe', 0x1000, 0x9000],
        ['', 0, 0],
      ],
      [
        [0, 0x10, 'main'],
        [1, 0x7ff8_8000_0010],
        [0, 0x20],
      ],
      [
        [0, 1],
        [0, 2],
      ],
    )
    .sample(2000, 0, [16, 20], { stack: 0, isKernel: false, value: 255 })
    .sample(3000, 0, [16, 20], { stack: 1, isKernel: false, value: 255 })
    .flush(7000)
    .fact(9000, 'etw.end');
  const processor = await processorWith(trace.finish());
  expect(await loadCalls(makeQuery((sql) => Promise.resolve(processor.query(sql))))).toEqual({
    caller: Int32Array.of(-1, 0, 0),
    frame: Int32Array.of(0, 1, 2),
    image: Int32Array.of(0, 1, 0),
    rva: Float64Array.of(0x10, 0x7ff8_8000_0010, 0x20),
    function: Int32Array.of(0, -1, -1),
    images: ['\\app.exe', ''],
    isGenerated: [false, true],
    functions: [{ name: 'main', image: 0 }],
  });
});

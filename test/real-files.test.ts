import { afterAll, describe, expect, test } from 'vitest';
import { outrank } from './support/outrank.ts';
import { realTraces, Scratch } from './support/places.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const traces = realTraces();

/** Events by a plain walk, as the README beside the traces gives them. */
const COUNTS = {
  'ShutdownPerfDiagLogger.etl': 17_078,
  'net.4.5.2.x64.etl.zip': 179_474,
  'TraceLoggingTester.etl.gz': 172_716,
  'diaghub.kernel.1.etl.gz': 16_335,
};

describe.skipIf(traces === null)('real traces', () => {
  test.each([...(traces?.keys() ?? [])])('outrank info reads %s', async (name) => {
    const { code, stdout } = await outrank(scratch.folder, 'info', traces?.get(name) ?? '', '--json');
    expect(code).toBe(0);
    const info = JSON.parse(stdout) as { events_read: number };
    expect(info.events_read).toBe(
      Object.entries(COUNTS).find(([known]) => known === name)?.[1] ?? info.events_read,
    );
  });
});

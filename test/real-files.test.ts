import { afterAll, describe, expect, test } from 'vitest';
import { outrank } from './support/outrank.ts';
import { realTraces, Scratch } from './support/places.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());

const traces = realTraces();

/** Events by a plain walk. The README in the folder of the traces gives these numbers. */
const COUNTS = new Map([
  ['ShutdownPerfDiagLogger.etl', 17_078],
  ['net.4.5.2.x64.etl.zip', 179_474],
  ['TraceLoggingTester.etl.gz', 172_716],
  ['diaghub.kernel.1.etl.gz', 16_335],
]);

/** Events of it were lost as it was recorded: `info` tells that as the converter does. */
const LACKS_EVENTS = new Set(['AMSITrace.etl']);

interface Info {
  readonly events: Readonly<Record<'read' | 'converted' | 'generic' | 'skipped', number>>;
  readonly kinds: readonly { readonly count: number }[];
}

describe.skipIf(traces === null)('outrank info counts every event of', () => {
  test.each([...(traces ?? [])])('%s', async (name, path) => {
    const { code, stdout } = await outrank(scratch.folder, 'info', path, '--json');
    expect(code).toBe(LACKS_EVENTS.has(name) ? 3 : 0);
    const { events, kinds } = JSON.parse(stdout) as Info;
    expect(events.read).toBeGreaterThan(0);
    expect(events.read).toBe(COUNTS.get(name) ?? events.read);
    expect(events.converted + events.generic + events.skipped).toBe(events.read);
    expect(kinds.reduce((sum, { count }) => sum + count, 0)).toBe(events.read);
  });
});

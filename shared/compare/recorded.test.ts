import { expect, test } from 'vitest';
import { recordingDifferences, type Recorded } from './recorded.ts';

function recordingOf(providers: readonly string[], cpus: string): Recorded {
  return { facts: new Map([['CPUs', cpus]]), held: new Set(), redacted: null, providers, missing_part: 0 };
}

test('recordings that hold the same do not differ', () => {
  expect(recordingDifferences([recordingOf(['Thread'], '4')], [recordingOf(['Thread'], '4')])).toEqual([]);
});

test('facts that differ are told, and providers that one side alone has', () => {
  const a = [recordingOf(['Thread', 'Disk'], '4'), recordingOf(['Thread'], '8')];
  expect(recordingDifferences(a, [recordingOf(['Thread'], '4')])).toEqual([
    { what: 'CPUs', a: '4, 8', b: '4' },
    { what: 'providers with events', a: 'also Disk', b: 'no others' },
  ]);
});

import { expect, test } from 'vitest';
import { recordedKinds } from './overview/recorded.ts';
import { views } from './index.ts';

test('the overview names the views that show what was recorded by their titles', () => {
  const events = [
    ['Thread', 'CSwitch'],
    ['Thread', 'ReadyThread'],
    ['PerfInfo', 'SampledProfile'],
    ['Process', 'Start'],
    ['Thread', 'DCEnd'],
    ['DiskIo', 'Read'],
    ['Image', 'Load'],
    ['Mine', 'A'],
  ];
  const rows = events.map(([provider = '', event = ''], index) => {
    return {
      provider,
      event,
      fate: provider === 'Mine' ? 'generic' : 'converted',
      count: events.length - index,
    };
  });
  const titles = recordedKinds(rows).map(({ view, shown_by }) => [
    shown_by,
    views.find(({ id }) => id === view)?.title,
  ]);
  expect(titles.map(([named]) => named)).toEqual([
    'CPU usage',
    'Ready latency',
    'CPU usage, sampled',
    'Processes',
    'Threads and growth',
    'Disk and file I/O',
    'System',
    'Generic events',
  ]);
  for (const [named, title] of titles) expect(named).toBe(title);
});

import type { GrowthBin } from '../../shared/growth/index.ts';
import { processLabel } from '../../shared/threads/index.ts';
import type { ViewTable } from '../../shared/view/index.ts';
import { column, makeTable } from '../kit/index.ts';
import type { ProcessThreads, SeriesGrowth, ThreadsModel } from './model.ts';
import { exponentWords, growthLabel, TOGETHER } from './words.ts';

/** Threads by process. */
export function processTable({ processes }: ThreadsModel): ViewTable {
  return makeTable<ProcessThreads>(
    'Threads by process',
    [
      column('process', 'Process', 'text', 'The process.', processLabel),
      column('most', 'At most', 'count', 'Live threads at once, at most.'),
      column('at_start', 'At first', 'count', 'Live threads where the range begins.'),
      column('at_end', 'At last', 'count', 'Live threads where the range ends.'),
      column('created', 'Created', 'count', 'Threads created in the range.'),
      column('ended', 'Ended', 'count', 'Threads that ended in the range.'),
      column(
        'handles',
        'Handles',
        'count',
        'Open handles when they were last counted: as the recording or the process ended.',
      ),
      column(
        'handle_change',
        'Handles opened',
        'count',
        'Handles opened less those closed, in the whole trace.',
      ),
    ],
    processes,
  );
}

/** How costs grow, by series. */
export function growthTable({ growths }: ThreadsModel): ViewTable {
  return makeTable<SeriesGrowth>(
    'Cost against count',
    [
      column('series', 'Series', 'text', 'What is made, or ends, one after the other.', growthLabel),
      column('count', 'Count', 'count', 'How many in the range.'),
      column(
        'order',
        'Each',
        'text',
        'How the time from one to the next grows with how many there were before: O(1), or the curve a + b·n^p that fits best.',
        ({ fit }) => fit.order,
      ),
      column('together', 'Together', 'text', 'How the time of all grows.', ({ fit }) => TOGETHER[fit.order]),
      column(
        'exponent',
        'Like',
        'text',
        'The power of the count that the cost grows with over what was measured, its interval of 95 %, and the part of the variance that it explains. Where the interval holds 0, no growth is told.',
        ({ fit }) => exponentWords(fit.exponent),
      ),
      column(
        'first_ns',
        'At first',
        'duration_ns',
        'The curve where the series begins.',
        ({ fit }) => fit.first_ns,
      ),
      column('last_ns', 'At last', 'duration_ns', 'The curve where it ends.', ({ fit }) => fit.last_ns),
      column(
        'beyond_ns',
        'Beyond',
        'duration_ns',
        'Time beyond what all would have taken at the pace of the first.',
      ),
      column('ts', 'From', 'time_ns', 'When the first came.'),
      column('dur', 'Within', 'duration_ns', 'Until the last.'),
    ],
    growths,
  );
}

/** Everything the view draws. */
export function threadsTables(model: ThreadsModel): readonly ViewTable[] {
  const growth = model.chosen === null ? undefined : model.growths[model.chosen];
  const { steps, lines } = model;
  const points = lines.flatMap(({ label, live }) =>
    live.map((count, step) => ({ label, ts: steps.ts + step * steps.dur, count })),
  );
  return [
    growthTable(model),
    processTable(model),
    makeTable<GrowthBin>(
      growth === undefined ? 'Cost of one' : `Cost of one: ${growthLabel(growth)}`,
      [
        column('n', 'Count before', 'count', 'How many there were before.', ({ n }) => Math.round(n)),
        column('cost_ns', 'Cost', 'duration_ns', 'From one to the next: the middle one of a stretch.'),
        column('low_ns', 'Quarter below', 'duration_ns', 'A quarter of them took less.'),
        column('high_ns', 'Quarter above', 'duration_ns', 'A quarter of them took more.'),
      ],
      growth?.bins ?? [],
    ),
    makeTable<(typeof points)[number]>(
      'Live threads over time',
      [
        column('process', 'Process', 'text', 'The process.', ({ label }) => label),
        column('ts', 'At', 'time_ns', 'When.'),
        column('live', 'Threads', 'count', 'Live threads then.', ({ count }) => count),
      ],
      points,
    ),
  ];
}

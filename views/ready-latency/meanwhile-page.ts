import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  answer,
  buttons,
  LANE_GAP_PX,
  LANE_PX,
  panel,
  picture,
  rangeAround,
  row,
  table,
  timePicture,
  type Page,
} from '../kit/index.ts';
import { LANES_MARGINS, lanesChart, lanesHeight, standingLegend } from './charts.ts';
import { lanesRange, type Meanwhile, type MeanwhileSpan } from '../../shared/ready-waits/index.ts';
import { STANDING_LABELS } from './model.ts';
import type { params } from './params.ts';
import { ranTable, threadTable } from './tables.ts';
import { VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart, verdictLegend } from './verdict-bar.ts';

const TABLES_PX = 236;

/** What ran during the chosen wait: the answer, why it was late, what each CPU ran, and who. */
export function meanwhilePage(
  meanwhile: Meanwhile,
  origin_ns: number,
  context: ViewContext<typeof params>,
): Page {
  const { trace } = context;
  const { wait, spans } = meanwhile;
  const end = wait.ended ? formatTime(wait.ts + wait.dur, origin_ns) : 'the end of the trace';
  return [
    panel(
      'Meanwhile',
      `${formatTime(wait.ts, origin_ns)} to ${end}`,
      [
        answer(meanwhile.sentences),
        buttons([
          {
            label: 'Explain the wait',
            press: () =>
              context.openView('explain', { tid: wait.tid, from_ns: wait.ts, to_ns: wait.ts + wait.dur }),
          },
        ]),
        picture({
          label: `Why it was late: ${meanwhile.verdict.sentence}`,
          height_px: VERDICT_HEIGHT,
          margins: VERDICT_MARGINS,
          legend: (palette) => verdictLegend(palette, meanwhile),
          draw: verdictChart(meanwhile),
        }),
        timePicture({
          label: 'What ran on each CPU during the wait. The key T shows the runs as a table.',
          height_px: lanesHeight(meanwhile.cpu_count),
          margins: LANES_MARGINS,
          rangeOf: (inView) => rangeAround(lanesRange(wait, inView), trace.range, 0),
          legend: (palette) => standingLegend(palette, meanwhile),
          draw: lanesChart(meanwhile, origin_ns),
          // The lanes show nothing but the wait: to shade it would only tint them.
          shades: ({ start }) => start !== wait.ts,
          at({ y, ts }) {
            const lane = Math.floor(y / (LANE_PX + LANE_GAP_PX));
            const span = spans.find((each) => each.cpu === lane && each.ts <= ts && ts < each.ts + each.dur);
            if (span === undefined) return null;
            const lines = runLines(span);
            return { lines, mark: { ts: span.ts, label: lines.slice(0, 2).join(': ') } };
          },
        }),
        row(TABLES_PX, 1, [
          panel('By rank and priority', '', [table(ranTable(meanwhile))]),
          panel('By thread', '', [table(threadTable(meanwhile))]),
        ]),
      ],
      { className: 'meanwhile' },
    ),
  ];
}

/** What a pointer at a run is told. */
function runLines(span: MeanwhileSpan): readonly string[] {
  const { standing, cpu, ran_ns, dur, thread, priority, rank } = span;
  if (standing === 'idle') return [`CPU ${cpu} idle`, formatDuration(ran_ns)];
  if (thread === null) {
    const part = `${formatDuration(ran_ns)} of ${formatDuration(dur)}`;
    return [`CPU ${cpu}: several short runs`, part, STANDING_LABELS[standing]];
  }
  return [
    thread,
    `${formatDuration(dur)} on CPU ${cpu}`,
    `priority ${priority ?? '–'}, rank ${rank ?? '–'}: ${STANDING_LABELS[standing]}`,
  ];
}

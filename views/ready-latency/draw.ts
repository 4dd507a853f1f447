import * as d3 from 'd3';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  drawLegend,
  drawTable,
  followRange,
  histogramScales,
  LANE_GAP_PX,
  LANE_PX,
  livePlot,
  makeTooltip,
  paletteOf,
  rangeAround,
  timeScale,
  type LivePlot,
  type Tooltip,
} from '../kit/index.ts';
import {
  HISTOGRAM_MARGINS,
  LANES_MARGINS,
  lanesChart,
  lanesHeight,
  lengthsChart,
  standingLegend,
  waitLegend,
  waitLines,
  WAITS_MARGINS,
  waitsChart,
  waitScales,
} from './charts.ts';
import type { GroupBy, GroupSummary, Meanwhile, ReadyLatencyModel, ReadyWait } from './model.ts';
import { footnotes, sampling } from './footnotes.ts';
import { STANDING_LABELS } from './model.ts';
import type { params, ReadyLatencyParams } from './params.ts';
import { groupTable, ranTable, threadTable, waitTable } from './tables.ts';
import { VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart, verdictLegend } from './verdict-bar.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen wait, as a part of its length. */
const ZOOM_MARGIN = 0.08;
/** How near to a wait, in px, a pointer must be to mean it. */
const REACH_PX = 12;

/** Draws the view into a window. Returns what undoes it. */
export function drawReadyLatency(
  container: HTMLElement,
  model: ReadyLatencyModel,
  context: Context,
): () => void {
  const root = d3.select(container).append('div').attr('class', 'ready-latency').node() as HTMLElement;
  const tooltip = makeTooltip(root);
  const ends: (() => void)[] = [];
  drawNotes(root, model);
  if (model.total.count === 0) {
    drawEmpty(root, model);
    return () => root.remove();
  }
  drawStats(root, model);
  ends.push(drawWaitTable(root, model, context));
  if (model.meanwhile !== null) ends.push(drawMeanwhile(root, model.meanwhile, model, context, tooltip));
  const charts = section(root, 'charts');
  ends.push(drawWaits(charts, model, context, tooltip), drawLengths(charts, model, tooltip));
  ends.push(drawGroups(root, model, context));
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

function section(parent: HTMLElement, className: string): HTMLElement {
  const element = parent.appendChild(parent.ownerDocument.createElement('section'));
  element.className = className;
  return element;
}

function heading(parent: HTMLElement, title: string, aside = ''): void {
  const header = d3.select(parent).append('header').attr('class', 'section-heading');
  header.append('h2').text(title);
  if (aside !== '') header.append('p').text(aside);
}

function drawNotes(root: HTMLElement, model: ReadyLatencyModel): void {
  if (model.notes.length === 0) return;
  d3.select(root)
    .append('ul')
    .attr('class', 'notes')
    .selectAll('li')
    .data(model.notes)
    .join('li')
    .text((note) => note);
}

function drawEmpty(root: HTMLElement, model: ReadyLatencyModel): void {
  const empty = d3.select(root).append('div').attr('class', 'empty');
  empty.append('h2').text('No ready waits here');
  if (model.notes.length === 0) {
    empty
      .append('p')
      .text('No thread was ready without running in this range, or the filters let none through.');
  }
}

function drawStats(root: HTMLElement, model: ReadyLatencyModel): void {
  const { total } = model;
  const stats: readonly (readonly [string, string])[] = [
    ['ready waits', formatCount(total.count)],
    ['p50', formatDuration(total.p50_ns)],
    ['p90', formatDuration(total.p90_ns)],
    ['p99', formatDuration(total.p99_ns)],
    ['longest', formatDuration(total.max_ns)],
    ['above p99', formatDuration(total.above_p99_ns)],
    ['all together', formatDuration(total.sum_ns)],
  ];
  const items = d3.select(root).append('dl').attr('class', 'stats').selectAll('div').data(stats).join('div');
  items.append('dt').text(([name]) => name);
  items.append('dd').text(([, value]) => value);
  for (const line of footnotes(model)) d3.select(root).append('p').attr('class', 'stats-note').text(line);
}

function spanOf(wait: ReadyWait): TimeRange {
  return { start: wait.ts, end: wait.ts + wait.dur };
}

function choose(wait: ReadyWait, context: Context): void {
  const span = spanOf(wait);
  context.setParams({ wait_ts: wait.ts, wait_tid: wait.tid });
  context.select({ span, thread: { tid: wait.tid, ts: wait.ts }, pid: wait.pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

function drawWaits(
  parent: HTMLElement,
  model: ReadyLatencyModel,
  context: Context,
  tooltip: Tooltip,
): () => void {
  const figure = section(parent, 'panel waits-over-time');
  heading(figure, 'Longest waits over time', 'length on a log scale');
  drawLegend(figure, waitLegend(paletteOf(figure)));
  const chosen = model.meanwhile === null ? null : spanOf(model.meanwhile.wait);
  const { plot, range, end } = followRange(WAITS_MARGINS, context, (range, dragged) =>
    livePlot(
      figure,
      'The longest ready waits over time. The table below holds the same waits.',
      WAITS_MARGINS,
      waitsChart(model, range, chosen, dragged),
    ),
  );
  const under = (event: PointerEvent): ReadyWait | null => {
    const current = plot.current();
    if (current === null) return null;
    const { x, y } = waitScales(model, range(), current);
    const box = plot.element.getBoundingClientRect();
    const px = event.clientX - box.left - WAITS_MARGINS.left;
    const py = event.clientY - box.top - WAITS_MARGINS.top;
    const away = (wait: ReadyWait) => {
      const across = Math.max(0, x(wait.ts) - px, px - x(wait.ts + wait.dur));
      return Math.hypot(across, y(wait.dur) - py);
    };
    const nearest = d3.least(model.waits, away);
    return nearest !== undefined && away(nearest) <= REACH_PX ? nearest : null;
  };
  let pressedAt = 0;
  d3.select(plot.element)
    .on('pointermove', (event: PointerEvent) => {
      const wait = under(event);
      plot.element.style.cursor = wait === null ? 'crosshair' : 'pointer';
      if (wait === null || event.buttons !== 0) tooltip.hide();
      else tooltip.show(event, waitLines(wait));
    })
    .on('pointerleave', () => tooltip.hide())
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('click', (event: PointerEvent) => {
      const wait = under(event);
      if (wait !== null && Math.abs(event.clientX - pressedAt) < 4) choose(wait, context);
    });
  return end;
}

function drawLengths(parent: HTMLElement, model: ReadyLatencyModel, tooltip: Tooltip): () => void {
  const figure = section(parent, 'panel waits-by-length');
  heading(figure, 'All waits by length', 'both scales logarithmic');
  const label = 'How many ready waits were how long. The key T shows the counts as a table.';
  const plot = livePlot(figure, label, HISTOGRAM_MARGINS, lengthsChart(model));
  d3.select(plot.element)
    .on('pointermove', (event: PointerEvent) => {
      const current = plot.current();
      if (current === null) return;
      const { x } = histogramScales(model.histogram, current.width, current.height);
      const at_ns = x.invert(
        event.clientX - plot.element.getBoundingClientRect().left - HISTOGRAM_MARGINS.left,
      );
      const bar = model.histogram.find(({ from_ns, to_ns }) => from_ns <= at_ns && at_ns < to_ns);
      if (bar === undefined) tooltip.hide();
      else {
        tooltip.show(event, [
          `${formatCount(bar.count)} ${bar.count === 1 ? 'wait' : 'waits'}`,
          `${formatDuration(bar.from_ns)} to ${formatDuration(bar.to_ns)}`,
        ]);
      }
    })
    .on('pointerleave', () => tooltip.hide());
  return () => plot.end();
}

function drawWaitTable(root: HTMLElement, model: ReadyLatencyModel, context: Context): () => void {
  const panel = section(root, 'panel wait-table');
  const shown = model.waits.length;
  heading(
    panel,
    'Longest ready waits',
    shown < model.listed
      ? `${formatCount(shown)} of ${formatCount(model.listed)}, choose one to see who ran meanwhile`
      : `${formatCount(shown)}, choose one to see who ran meanwhile`,
  );
  const wait = model.meanwhile?.wait;
  const chosen = model.waits.findIndex(({ ts, tid }) => ts === wait?.ts && tid === wait.tid);
  return drawTable(panel, waitTable(model), {
    origin_ns: model.origin_ns,
    name: 'ready-latency/waits',
    chosen: chosen === -1 ? null : chosen,
    onChoose: (row) => {
      const picked = model.waits[row];
      if (picked !== undefined) choose(picked, context);
    },
  });
}

function drawMeanwhile(
  root: HTMLElement,
  meanwhile: Meanwhile,
  model: ReadyLatencyModel,
  context: Context,
  tooltip: Tooltip,
): () => void {
  const panel = section(root, 'panel meanwhile');
  const { wait } = meanwhile;
  heading(
    panel,
    'Meanwhile',
    `${formatTime(wait.ts, model.origin_ns)} to ${wait.ended ? formatTime(wait.ts + wait.dur, model.origin_ns) : 'the end of the trace'}`,
  );
  d3.select(panel)
    .append('div')
    .attr('class', 'answer')
    .selectAll('p')
    .data(meanwhile.sentences)
    .join('p')
    .text((sentence) => sentence);
  drawLegend(panel, verdictLegend(paletteOf(panel), meanwhile));
  const bar = livePlot(
    panel,
    `Why it was late: ${meanwhile.verdict.sentence}`,
    VERDICT_MARGINS,
    verdictChart(meanwhile),
  );
  bar.element.style.height = `${VERDICT_HEIGHT}px`;
  drawLegend(panel, standingLegend(paletteOf(panel), meanwhile));
  const { plot, range, end } = followRange(LANES_MARGINS, context, (range, dragged) =>
    livePlot(
      panel,
      'What ran on each CPU during the wait. The key T shows the runs as a table.',
      LANES_MARGINS,
      lanesChart(meanwhile, model.origin_ns, range, dragged),
    ),
  );
  plot.element.style.height = `${lanesHeight(meanwhile.cpu_count)}px`;
  bindLaneTooltip(plot, meanwhile, range, tooltip);
  const tables = section(panel, 'side-by-side');
  const origin = { origin_ns: model.origin_ns };
  const ends = [
    end,
    () => bar.end(),
    drawTable(titled(tables, 'By rank and priority'), ranTable(meanwhile), {
      ...origin,
      name: 'ready-latency/groups',
    }),
    drawTable(titled(tables, 'By thread'), threadTable(meanwhile), {
      ...origin,
      name: 'ready-latency/threads',
    }),
  ];
  return () => {
    for (const undo of ends) undo();
  };
}

function titled(parent: HTMLElement, title: string): HTMLElement {
  const part = section(parent, 'part');
  d3.select(part).append('h3').text(title);
  return part;
}

function bindLaneTooltip(
  plot: LivePlot,
  meanwhile: Meanwhile,
  range: () => TimeRange,
  tooltip: Tooltip,
): void {
  d3.select(plot.element)
    .on('pointermove', (event: PointerEvent) => {
      const current = plot.current();
      const box = plot.element.getBoundingClientRect();
      const lane = Math.floor((event.clientY - box.top - LANES_MARGINS.top) / (LANE_PX + LANE_GAP_PX));
      const ts = timeScale(range(), current?.width ?? 1).invert(
        event.clientX - box.left - LANES_MARGINS.left,
      );
      const span = meanwhile.spans.find(
        (span) => span.cpu === lane && span.ts <= ts && ts < span.ts + span.dur,
      );
      if (span === undefined || event.buttons !== 0) {
        tooltip.hide();
        return;
      }
      const { standing } = span;
      tooltip.show(
        event,
        standing === 'idle'
          ? [`CPU ${span.cpu} idle`, formatDuration(span.ran_ns)]
          : span.thread === null
            ? [
                `CPU ${span.cpu}: several short runs`,
                `${formatDuration(span.ran_ns)} of ${formatDuration(span.dur)}`,
                STANDING_LABELS[standing],
              ]
            : [
                span.thread,
                `${formatDuration(span.dur)} on CPU ${span.cpu}`,
                `priority ${span.priority ?? '–'}, rank ${span.rank ?? '–'}: ${STANDING_LABELS[standing]}`,
              ],
      );
    })
    .on('pointerleave', () => tooltip.hide());
}

function drawGroups(root: HTMLElement, model: ReadyLatencyModel, context: Context): () => void {
  const panel = section(root, 'panel process-table');
  const { group_by, groups } = model;
  const sampled = sampling(model);
  const which = sampled === null ? 'all waits in the range' : `all waits in the range (${sampled})`;
  heading(panel, `By ${group_by}`, `${which}; choose one to see only its waits`);
  return drawTable(panel, groupTable(model), {
    origin_ns: model.origin_ns,
    name: `ready-latency/groups-by-${group_by}`,
    onChoose: (row) => {
      const group = groups[row];
      if (group !== undefined) context.setParams(filterFor(group, group_by));
    },
  });
}

/** The filter that only a group's waits pass. */
function filterFor(group: GroupSummary, group_by: GroupBy): Partial<ReadyLatencyParams> {
  switch (group_by) {
    case 'process':
      return { process: group.process };
    case 'thread':
      return { thread: group.tid === null ? null : String(group.tid) };
    case 'rank':
      return { rank: group.rank };
    case 'priority':
      return { priority: group.priority };
  }
}

import * as d3 from 'd3';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  addPanelRow,
  addSection,
  addStats,
  drawLegend,
  drawTable,
  drawUnrecorded,
  type End,
  endAll,
  HISTOGRAM_MARGINS,
  histogramScales,
  LANE_GAP_PX,
  LANE_PX,
  livePlot,
  makeTooltip,
  paletteOf,
  type PlotPoint,
  rangeAround,
  timePlot,
  type Tooltip,
} from '../kit/index.ts';
import {
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
import type {
  GroupBy,
  GroupSummary,
  Meanwhile,
  MeanwhileSpan,
  ReadyLatencyModel,
  ReadyWait,
} from './model.ts';
import { footnotes, groupPercentileBound, sampling } from './footnotes.ts';
import { STANDING_LABELS } from './model.ts';
import type { params, ReadyLatencyParams } from './params.ts';
import { groupTable, ranTable, threadTable, waitTable } from './tables.ts';
import { VERDICT_HEIGHT, VERDICT_MARGINS, verdictChart, verdictLegend } from './verdict-bar.ts';

type Context = ViewContext<typeof params>;

/** Margin around a chosen wait, as a part of its length. */
const ZOOM_MARGIN = 0.08;
/** How near to a wait, in px, a pointer must be to mean it. */
const REACH_PX = 12;
/** Tables are at most so high, in px; longer ones scroll. */
const TABLE_PX = 262;

/** Draws the view into a window. Returns what undoes it. */
export function drawReadyLatency(
  container: HTMLElement,
  model: ReadyLatencyModel,
  context: Context,
): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  const root = d3.select(container).append('div').attr('class', 'ready-latency').node() as HTMLElement;
  const tooltip = makeTooltip(root);
  const ends: End[] = [];
  addNotes(root, model.notes);
  if (model.total.count === 0) {
    addEmpty(
      root,
      'No ready waits here',
      'No thread was ready without running in this range, or the filters let none through.',
    );
    return endAll(ends, container);
  }
  drawStats(root, model);
  ends.push(drawWaitTable(root, model, context));
  if (model.meanwhile !== null) ends.push(drawMeanwhile(root, model.meanwhile, model, context, tooltip));
  const charts = addPanelRow(root, TABLE_PX, 1.5);
  ends.push(drawWaits(charts, model, context, tooltip), drawLengths(charts, model, tooltip));
  ends.push(drawGroups(root, model, context));
  return endAll(ends, container);
}

function drawStats(root: HTMLElement, model: ReadyLatencyModel): void {
  const { total } = model;
  addStats(root, [
    ['ready waits', formatCount(total.count)],
    ['p50', formatDuration(total.p50_ns)],
    ['p90', formatDuration(total.p90_ns)],
    ['p99', formatDuration(total.p99_ns)],
    ['longest', formatDuration(total.max_ns)],
    ['above p99', formatDuration(total.above_p99_ns)],
    ['all together', formatDuration(total.sum_ns)],
  ]);
  for (const line of footnotes(model)) d3.select(root).append('p').attr('class', 'stats-note').text(line);
}

function panelOf(parent: HTMLElement, className: string, title: string, aside: string): HTMLElement {
  const panel = addPanel(parent, title, aside);
  panel.classList.add(className);
  return panel;
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
  const figure = panelOf(parent, 'waits-over-time', 'Longest waits over time', 'length on a log scale');
  drawLegend(figure, waitLegend(paletteOf(figure)));
  return timePlot(figure, context, {
    label: 'The longest ready waits over time. The table below holds the same waits.',
    margins: WAITS_MARGINS,
    draw: waitsChart(model),
    events: {
      tooltip,
      at: (point) => waitUnder(point, model),
      lines: waitLines,
      choose: (wait) => choose(wait, context),
      mark: ({ ts, process, tid }) => ({ ts, label: `${process ?? 'unknown process'} (tid ${tid}) ready` }),
    },
  });
}

function waitUnder({ x: px, y: py, range, plot }: PlotPoint, model: ReadyLatencyModel): ReadyWait | null {
  const { x, y } = waitScales(model, range, plot);
  const away = (wait: ReadyWait) => {
    const across = Math.max(0, x(wait.ts) - px, px - x(wait.ts + wait.dur));
    return Math.hypot(across, y(wait.dur) - py);
  };
  const nearest = d3.least(model.waits, away);
  return nearest !== undefined && away(nearest) <= REACH_PX ? nearest : null;
}

function drawLengths(parent: HTMLElement, model: ReadyLatencyModel, tooltip: Tooltip): () => void {
  const figure = panelOf(parent, 'waits-by-length', 'All waits by length', 'both scales logarithmic');
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

/** How many of the waits are listed, and which. */
function listWords({ waits, listed, only }: ReadyLatencyModel): string {
  const shown = formatCount(waits.length);
  if (only !== null) return `${shown}: ${only}`;
  return waits.length < listed ? `${shown} of ${formatCount(listed)}` : shown;
}

function drawWaitTable(root: HTMLElement, model: ReadyLatencyModel, context: Context): () => void {
  const choose_one = 'choose one to see who ran meanwhile';
  const panel = panelOf(root, 'wait-table', 'Longest ready waits', `${listWords(model)}; ${choose_one}`);
  const wait = model.meanwhile?.wait;
  const chosen = model.waits.findIndex(({ ts, tid }) => ts === wait?.ts && tid === wait.tid);
  return drawTable(panel, waitTable(model), {
    origin_ns: model.origin_ns,
    context,
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
  const { wait } = meanwhile;
  const panel = panelOf(
    root,
    'meanwhile',
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
  const end = timePlot(panel, context, {
    label: 'What ran on each CPU during the wait. The key T shows the runs as a table.',
    margins: LANES_MARGINS,
    height_px: lanesHeight(meanwhile.cpu_count),
    draw: lanesChart(meanwhile, model.origin_ns),
    // The lanes tell of nothing but the wait: to shade it would only tint them.
    shades: ({ start }) => start !== wait.ts,
    events: {
      tooltip,
      at: ({ y, ts }) => {
        const lane = Math.floor(y / (LANE_PX + LANE_GAP_PX));
        return (
          meanwhile.spans.find(
            ({ cpu, ...span }) => cpu === lane && span.ts <= ts && ts < span.ts + span.dur,
          ) ?? null
        );
      },
      lines: runLines,
      mark: (span) => ({ ts: span.ts, label: runLines(span).slice(0, 2).join(': ') }),
    },
  });
  const tables = addSection(panel, 'side-by-side');
  const origin = { origin_ns: model.origin_ns, context };
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
  const part = addSection(parent, 'part');
  d3.select(part).append('h3').text(title);
  return part;
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

function drawGroups(root: HTMLElement, model: ReadyLatencyModel, context: Context): () => void {
  const { group_by, groups } = model;
  const sampled = sampling(model);
  const which = sampled === null ? 'all waits in the range' : `all waits in the range (${sampled})`;
  const aside = `${which}; ${groupPercentileBound(model)}; choose one to see only its waits`;
  const panel = panelOf(root, 'process-table', `By ${group_by}`, aside);
  return drawTable(panel, groupTable(model), {
    origin_ns: model.origin_ns,
    context,
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

import * as d3 from 'd3';
import type { Finding } from '../../shared/findings/index.ts';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  addPanel,
  addPanelRow,
  addSection,
  addStats,
  drawLegend,
  drawTable,
  endAll,
  makeTooltip,
  paletteOf,
  rangeAround,
  timePlot,
  type End,
} from '../kit/index.ts';
import { hasStrip, linesAt, MARGINS, stripChart, stripHeight, stripLegend } from './chart.ts';
import type { Freeze, LateWait, OverviewModel, ProcessCpu } from './model.ts';
import type { params } from './params.ts';
import { freezeTable, processTable, recordedTable, waitTable } from './tables.ts';
import { cpuWords, cutWords, factWords, findingWords } from './words.ts';

type Context = ViewContext<typeof params>;

/** Margin around what is chosen, as a part of its length. */
const ZOOM_MARGIN = 0.08;
/** Height of the longest tables; longer ones scroll. */
const TABLE_PX = 252;

/** Draws the overview into a window. Returns what undoes it. */
export function drawOverview(container: HTMLElement, model: OverviewModel, context: Context): () => void {
  const root = addSection(container, 'overview');
  addStats(root, factWords(model));
  const ends: End[] = [];
  if (hasStrip(model)) ends.push(drawStrip(root, model, context));
  const isPoor = model.cpu.series.length === 0;
  if (isPoor) ends.push(drawHeld(root, model, context));
  drawFindings(root, model, context);
  const columns = addPanelRow(root, TABLE_PX);
  if (model.facts.context_switches > 0) ends.push(drawWaits(columns, model, context));
  if (model.processes.length > 0) ends.push(drawProcesses(columns, model, context));
  if (model.freezes.length > 0) ends.push(drawFreezes(columns, model, context));
  if (!isPoor) ends.push(drawHeld(root, model, context));
  return endAll(ends, container);
}

/** What the file holds, and beside it what it does not. */
function drawHeld(root: HTMLElement, model: OverviewModel, context: Context): End {
  const row = addPanelRow(root, TABLE_PX);
  const end = drawRecorded(row, model, context);
  drawMissing(row, model);
  return end;
}

function drawStrip(root: HTMLElement, model: OverviewModel, context: Context): () => void {
  const asides = [model.cpu.series.length === 0 ? null : cpuWords(model), cutWords(model)].filter(
    (words) => words !== null,
  );
  const title = model.cpu.series.length === 0 ? 'Over time' : 'CPUs over time';
  const panel = addPanel(root, title, asides.join(' · '));
  const tooltip = makeTooltip(panel);
  drawLegend(panel, stripLegend(model, paletteOf(panel)));
  return timePlot(panel, context, {
    label: 'CPU use, focus, input, freezes and findings over time. The key T shows them as tables.',
    margins: MARGINS,
    height_px: stripHeight(model),
    draw: stripChart(model),
    events: {
      at: (point) => linesAt(model, point),
      lines: (lines) => lines,
      tooltip,
    },
  });
}

function drawFindings(root: HTMLElement, model: OverviewModel, context: Context): void {
  const panel = addPanel(root, 'Findings', findingWords(model));
  panel.classList.add('findings');
  const { later } = model;
  if (later === null) {
    d3.select(panel).append('p').attr('class', 'pending').text('The rules run when their tables are built.');
    return;
  }
  const { findings, checked, failed } = later.findings;
  const clean = checked.filter(({ found }) => found === 0).map(({ title }) => title.toLowerCase());
  const items = d3.select(panel).append('ol').selectAll('li').data(findings).join('li');
  const buttons = items
    .append('button')
    .attr('type', 'button')
    .attr('title', ({ rule }) => checked.find(({ id }) => id === rule)?.matters ?? '')
    .on('click', (_, finding) => openProof(finding, context));
  buttons
    .append('span')
    .attr('class', 'lost')
    .text(({ seconds_lost }) => formatDuration(seconds_lost * 1e9));
  const words = buttons.append('span').attr('class', 'words');
  const heading = words.append('span').attr('class', 'title');
  heading.append('strong').text(({ title }) => title);
  heading
    .append('span')
    .attr('class', 'when')
    .text(({ where }) => `at ${formatTime(where.span.start, model.origin_ns)}`);
  words
    .append('span')
    .attr('class', 'sentence')
    .text(({ sentence }) => sentence);
  buttons.append('span').attr('class', 'go').attr('aria-hidden', 'true').text('›');
  if (clean.length > 0)
    d3.select(panel)
      .append('p')
      .text(`Looked for and not found: ${clean.join(', ')}.`);
  for (const { message } of failed) d3.select(panel).append('p').attr('class', 'failed').text(message);
}

function openProof({ proof }: Finding, context: Context): void {
  context.select(proof.selection);
  context.zoomTo(proof.range);
  context.openView(proof.view, proof.params);
}

/** Chooses a span of a thread or process, zooms to it, and opens a view on it. */
function open(
  context: Context,
  span: TimeRange,
  thread: { readonly tid: number | null; readonly pid: number | null },
  view: string,
  params: Readonly<Record<string, unknown>>,
): void {
  const { tid, pid } = thread;
  context.select({ span, thread: tid === null ? null : { tid, ts: span.start }, pid });
  context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
  context.openView(view, params);
}

function drawWaits(parent: HTMLElement, model: OverviewModel, context: Context): () => void {
  const { later } = model;
  const count = later?.waits.length ?? 0;
  const aside = count > 0 ? `the ${formatCount(count)} longest; choose one to see who ran meanwhile` : '';
  const panel = addPanel(parent, 'Worst ready waits', aside);
  panel.classList.add('wide');
  const waits = later?.waits ?? [];
  if (waits.length === 0) {
    const none =
      later === null ? 'They come when their tables are built.' : 'No thread was ready without running.';
    d3.select(panel).append('p').attr('class', 'pending').text(none);
    return () => undefined;
  }
  return drawTable(panel, waitTable(model), {
    origin_ns: model.origin_ns,
    name: 'overview/waits',
    onChoose: (row) => {
      const wait: LateWait | undefined = waits[row];
      if (wait === undefined) return;
      const { ts, dur, tid, pid } = wait;
      open(context, { start: ts, end: ts + dur }, { tid, pid }, 'ready-latency', {
        wait_ts: ts,
        wait_tid: tid,
      });
    },
  });
}

function drawProcesses(parent: HTMLElement, model: OverviewModel, context: Context): () => void {
  const panel = addPanel(parent, 'Processes by CPU time', 'choose one to see CPU use by process');
  return drawTable(panel, processTable(model), {
    origin_ns: model.origin_ns,
    name: 'overview/processes',
    onChoose: (row) => {
      const process: ProcessCpu | undefined = model.processes[row];
      if (process === undefined) return;
      context.select({ span: null, thread: null, pid: process.pid });
      context.openView('cpu-usage', { by: 'process' });
    },
  });
}

function drawFreezes(parent: HTMLElement, model: OverviewModel, context: Context): () => void {
  const limit = context.params.limit ?? model.freezes.length;
  const panel = addPanel(parent, 'Longest freezes', `of ${formatCount(model.freeze_count)}, choose one`);
  return drawTable(panel, freezeTable(model, limit), {
    origin_ns: model.origin_ns,
    name: 'overview/freezes',
    onChoose: (row) => {
      const freeze: Freeze | undefined = model.freezes[row];
      if (freeze === undefined) return;
      const { ts, dur, pid, process } = freeze;
      open(context, { start: ts, end: ts + dur }, { tid: null, pid }, 'frozen-processes', { process });
    },
  });
}

function drawRecorded(parent: HTMLElement, model: OverviewModel, context: Context): End {
  const panel = addPanel(parent, 'Recorded', 'in the whole file; choose one to see it');
  return drawTable(panel, recordedTable(model), {
    origin_ns: model.origin_ns,
    name: 'overview/recorded',
    onChoose: (row) => {
      const kind = model.recorded[row];
      if (kind === undefined) return;
      context.openView(kind.view, kind.provider === null ? {} : { provider: kind.provider });
    },
  });
}

function drawMissing(parent: HTMLElement, { missing }: OverviewModel): void {
  if (missing.length === 0) return;
  const panel = addPanel(parent, 'Not recorded', 'and what records it');
  const list = d3.select(panel).append('dl').attr('class', 'missing');
  const items = list.selectAll('div').data(missing).join('div');
  items.append('dt').text(({ what }) => what);
  items.append('dd').text(({ record }) => record);
}

import * as d3 from 'd3';
import type { TimeRange, ViewContext } from '../../shared/view/index.ts';
import {
  bindGestures,
  drawLegend,
  drawTable,
  LANE_GAP_PX,
  LANE_PX,
  livePlot,
  makeTooltip,
  paletteOf,
  rangeAround,
  timeScale,
  type LivePlot,
} from '../kit/index.ts';
import { chainChart, chainHeight, CHAIN_MARGINS, chainSpan, stateLegend } from './chart.ts';
import { MAX_LANES, type Lanes, type StateSpan } from './lanes.ts';
import { markdown } from './markdown.ts';
import type { WakeChainModel } from './model.ts';
import type { params } from './params.ts';
import { releaseSentence, spanLines } from './sentences.ts';
import { stepBack, stepForward, stepToLink, stepToRelease, type Step } from './step.ts';
import { linkTable, processTable, releaseTable } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around what is chosen, as a part of its length. */
const ZOOM_MARGIN = 0.5;

/** Draws the view into a window. Returns what undoes it. */
export function drawWakeChain(container: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const root = container.appendChild(container.ownerDocument.createElement('div'));
  root.className = 'view-page wake-chain';
  root.style.padding = '0';
  const ends: (() => void)[] = [];
  if (model.notes.length > 0) {
    d3.select(root)
      .append('ul')
      .attr('class', 'notes')
      .selectAll('li')
      .data(model.notes)
      .join('li')
      .text((note) => note);
  }
  if (model.links.length === 0) drawEmpty(root, context);
  else {
    const backward = context.params.direction === 'backward';
    drawButtons(root, model, context);
    ends.push(drawChart(root, model, context, backward ? model.backward : model.forward));
    if (backward) ends.push(drawLinks(root, model, context));
    else ends.push(drawReleases(root, model, context), drawProcesses(root, model));
    ends.push(bindKeys(root, model, context));
  }
  return () => {
    for (const end of ends) end();
    root.remove();
  };
}

function drawEmpty(root: HTMLElement, { params }: Context): void {
  const empty = d3.select(root).append('div').attr('class', 'empty');
  empty.append('h2').text('No run to start from');
  empty
    .append('p')
    .text(
      params.tid === null
        ? 'No thread was ready without running in this range.'
        : `Thread ${params.tid} did not run at the chosen time, or after it.`,
    );
}

function drawButtons(root: HTMLElement, model: WakeChainModel, context: Context): void {
  const { direction, link } = context.params;
  const bar = d3.select(root).append('div').style('display', 'flex').style('gap', '8px');
  const add = (label: string, run: ((button: HTMLButtonElement) => void) | null) => {
    bar
      .append('button')
      .attr('type', 'button')
      .property('disabled', run === null)
      .text(label)
      .on('click', (event: MouseEvent) => run?.(event.currentTarget as HTMLButtonElement));
  };
  const stepButton = (label: string, step: Step | null) =>
    add(label, step === null ? null : () => take(step, context));
  stepButton('[  To its waker', stepBack(model, link ?? 0));
  stepButton(']  To what it woke', stepForward(model, link ?? 0));
  add(direction === 'backward' ? 'What it released' : 'Who woke it', () =>
    context.setParams({ direction: direction === 'backward' ? 'forward' : 'backward' }),
  );
  const span = chainSpan(direction === 'backward' ? model.backward : model.forward);
  add(
    'Show all of it',
    span === null ? null : () => context.zoomTo(rangeAround(span, context.trace.range, 0.02)),
  );
  add('Copy as Markdown', (button) => {
    navigator.clipboard.writeText(markdown(model)).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied: the clipboard is closed to this page'),
    );
  });
}

function take(step: Step, context: Context): void {
  context.setParams(step.params);
  context.select(step.selection);
  const { span } = step.selection;
  if (span !== null) context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

/** `[` and `]` step along the chain, except where text is typed. */
function bindKeys(root: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const bound = new AbortController();
  root.ownerDocument.addEventListener(
    'keydown',
    (event) => {
      const { target, key } = event;
      const typing = target instanceof Element && target.matches('input, textarea, select, dialog *');
      if (typing || event.ctrlKey || event.metaKey || (key !== '[' && key !== ']')) return;
      const link = context.params.link ?? 0;
      const step = key === '[' ? stepBack(model, link) : stepForward(model, link);
      if (step !== null) take(step, context);
    },
    { signal: bound.signal },
  );
  return () => bound.abort();
}

function panelWith(root: HTMLElement, title: string, aside: string): HTMLElement {
  const panel = root.appendChild(root.ownerDocument.createElement('section'));
  panel.className = 'panel process-table';
  panel.style.setProperty('--table-height', '262px');
  const header = d3.select(panel).append('header').attr('class', 'section-heading');
  header.append('h2').text(title);
  header.append('p').text(aside);
  return panel;
}

function drawChart(root: HTMLElement, model: WakeChainModel, context: Context, lanes: Lanes): () => void {
  const backward = context.params.direction === 'backward';
  const full =
    lanes.threads.length === MAX_LANES ? `the first ${MAX_LANES} threads; the table holds all` : '';
  const panel = panelWith(root, backward ? 'Who woke it' : 'What it released', full);
  drawLegend(panel, stateLegend(paletteOf(panel)));
  const tooltip = makeTooltip(root);
  let range = context.range;
  let dragged: TimeRange | null = null;
  const chart = chainChart(
    lanes,
    model.origin_ns,
    backward ? context.params.link : null,
    () => range,
    () => dragged,
  );
  const plot = livePlot(
    panel,
    'Threads in time: blocked, ready, running, and who woke whom. The table below holds the same.',
    CHAIN_MARGINS,
    chart,
  );
  plot.element.style.height = `${chainHeight(lanes)}px`;
  const unfollow = context.onRange?.((next) => {
    range = next;
    plot.redraw();
  });
  const unbind = bindGestures({
    element: plot.element,
    area: () => ({
      left: CHAIN_MARGINS.left,
      width: Math.max(1, plot.element.clientWidth - CHAIN_MARGINS.left - CHAIN_MARGINS.right),
    }),
    range: () => range,
    bounds: () => context.trace.range,
    zoomTo: (next) => context.zoomTo(next),
    onDrag: (span) => {
      dragged = span;
      plot.redraw();
    },
    wheel: 'scrolls',
  });
  let pressedAt = 0;
  d3.select(plot.element)
    .on('pointerdown', (event: PointerEvent) => (pressedAt = event.clientX))
    .on('pointermove', (event: PointerEvent) => {
      const span = spanUnder(event, plot, lanes, range);
      plot.element.style.cursor = span === null ? 'crosshair' : 'pointer';
      if (span === null || event.buttons !== 0) tooltip.hide();
      else tooltip.show(event, spanLines(lanes, span));
    })
    .on('pointerleave', () => tooltip.hide())
    .on('click', (event: PointerEvent) => {
      const of = spanUnder(event, plot, lanes, range)?.of ?? null;
      if (of === null || Math.abs(event.clientX - pressedAt) >= 4) return;
      const release = model.released[of];
      const step = backward ? stepToLink(model, of) : release === undefined ? null : stepToRelease(release);
      if (step !== null) take(step, context);
    });
  return () => {
    unfollow?.();
    unbind();
    plot.end();
  };
}

function spanUnder(event: PointerEvent, plot: LivePlot, lanes: Lanes, range: TimeRange): StateSpan | null {
  const box = plot.element.getBoundingClientRect();
  const lane = Math.floor((event.clientY - box.top - CHAIN_MARGINS.top) / (LANE_PX + LANE_GAP_PX));
  const x = timeScale(range, plot.current()?.width ?? 1);
  const px = event.clientX - box.left - CHAIN_MARGINS.left;
  const REACH_PX = 2;
  // Running spans come last and are the shortest: they win over what they touch.
  return (
    lanes.spans
      .filter(
        (span) => span.lane === lane && x(span.ts) <= px + REACH_PX && px - REACH_PX <= x(span.ts + span.dur),
      )
      .at(-1) ?? null
  );
}

function drawLinks(root: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const panel = panelWith(root, 'Links', 'each thread was woken by the one below it; choose one to go there');
  const end = drawTable(panel, linkTable(model), {
    origin_ns: model.origin_ns,
    name: 'wake-chain/links',
    chosen: context.params.link,
    onChoose: (row) => {
      const step = stepToLink(model, row);
      if (step !== null) take(step, context);
    },
  });
  if (model.stop !== null) {
    d3.select(panel).append('p').style('padding', '8px 12px').text(model.stop.sentence);
  }
  return end;
}

function drawReleases(root: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const panel = panelWith(root, 'Released threads', `${releaseSentence(model)} Choose one to start there`);
  return drawTable(panel, releaseTable(model), {
    origin_ns: model.origin_ns,
    name: 'wake-chain/released',
    onChoose: (row) => {
      const release = model.released[row];
      const step = release === undefined ? null : stepToRelease(release);
      if (step !== null) take(step, context);
    },
  });
}

function drawProcesses(root: HTMLElement, model: WakeChainModel): () => void {
  const panel = panelWith(root, 'By process', 'all that was released, together');
  return drawTable(panel, processTable(model), {
    origin_ns: model.origin_ns,
    name: 'wake-chain/processes',
  });
}

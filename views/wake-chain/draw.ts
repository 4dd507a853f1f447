import * as d3 from 'd3';
import { markdown, type ViewContext } from '../../shared/view/index.ts';
import {
  addEmpty,
  addNotes,
  addPanel,
  copyByButton,
  drawLegend,
  drawTable,
  drawUnrecorded,
  endAll,
  LANE_GAP_PX,
  LANE_PX,
  makeTooltip,
  paletteOf,
  rangeAround,
  timePlot,
  timeScale,
  type End,
  type PlotPoint,
} from '../kit/index.ts';
import { chainChart, chainHeight, CHAIN_MARGINS, chainSpan, stateLegend } from './chart.ts';
import { MAX_LANES, type Lanes, type StateSpan } from './lanes.ts';
import type { WakeChainModel } from './model.ts';
import type { params } from './params.ts';
import { linkSentence, longestSentence, releaseSentence, spanLines } from './sentences.ts';
import {
  goPastDpc,
  startForward,
  stepBack,
  stepForward,
  stepToLink,
  stepToRelease,
  type Step,
} from './step.ts';
import { shownLinks, processTable, releaseTable, wakeChainTables } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around what is chosen, as a part of its length. */
const ZOOM_MARGIN = 0.5;

/** Draws the view into a window. Returns what undoes it. */
export function drawWakeChain(container: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const unrecorded = drawUnrecorded(container, model.unrecorded);
  if (unrecorded !== null) return unrecorded;
  addNotes(container, model.notes);
  const ends: End[] = [];
  if (model.links.length === 0) drawEmpty(container, context);
  else {
    const backward = context.params.direction === 'backward';
    drawShort(container, model, context);
    drawButtons(container, model, context);
    if (!backward) ends.push(drawProcesses(container, model, context));
    ends.push(drawChart(container, model, context, backward ? model.backward : model.forward));
    ends.push((backward ? drawLinks : drawReleases)(container, model, context));
    ends.push(bindKeys(container, model, context));
  }
  return endAll(ends, container);
}

function drawEmpty(container: HTMLElement, { params }: Context): void {
  const why =
    params.tid === null
      ? 'No thread was ready without running in this range.'
      : `Thread ${params.tid} did not run at the chosen time, or after it.`;
  addEmpty(container, 'No run to start from', why);
}

/** With whom the time went by, and what was set free: the answer, before the proof. */
function drawShort(root: HTMLElement, model: WakeChainModel, context: Context): void {
  const answer = d3.select(root).append('div').attr('class', 'answer');
  const backward = context.params.direction === 'backward';
  const sentences = backward
    ? [longestSentence(model), model.stop?.sentence ?? null]
    : [releaseSentence(model), ...model.links.slice(0, 1).map(linkSentence)];
  for (const sentence of sentences) {
    if (sentence !== null) answer.append('p').text(sentence);
  }
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
  const back = stepBack(model, link ?? 0);
  const past = back === null ? goPastDpc(model) : null;
  if (past === null) stepButton('[  To its waker', back);
  else add('[  Past the DPC: what it did before', () => take(past, context));
  stepButton(']  To what it woke', stepForward(model, link ?? 0));
  const { link: longest = 0 } = model.longest ?? {};
  if (direction === 'backward' && longest > 0 && longest !== link)
    stepButton('Where most time went by', stepToLink(model, longest));
  if (direction === 'forward') add('Who woke it', () => context.setParams({ direction: 'backward' }));
  else {
    const forward = startForward(model, link ?? 0);
    add('What it released', forward === null ? null : () => context.setParams(forward));
  }
  const span = chainSpan(direction === 'backward' ? model.backward : model.forward);
  add(
    'Show all of it',
    span === null ? null : () => context.zoomTo(rangeAround(span, context.trace.range, 0.02)),
  );
  add('Copy as Markdown', (button) => {
    void copyByButton(button, markdown('Wake chain', wakeChainTables(model), model.origin_ns));
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
      const past = key === '[' && step === null ? goPastDpc(model) : null;
      if (step !== null) take(step, context);
      else if (past !== null) take(past, context);
    },
    { signal: bound.signal },
  );
  return () => bound.abort();
}

function tablePanel(root: HTMLElement, title: string, aside: string): HTMLElement {
  const panel = addPanel(root, title, aside);
  panel.style.setProperty('--table-height', '262px');
  return panel;
}

function drawChart(root: HTMLElement, model: WakeChainModel, context: Context, lanes: Lanes): () => void {
  const backward = context.params.direction === 'backward';
  const full =
    lanes.threads.length === MAX_LANES ? `the first ${MAX_LANES} threads; the table holds all` : '';
  const panel = addPanel(root, backward ? 'Who woke it' : 'What it released', full);
  drawLegend(panel, stateLegend(paletteOf(panel)));
  const stepTo = ({ of }: StateSpan): Step | null => {
    if (of === null) return null;
    const release = model.released[of];
    return backward ? stepToLink(model, of) : release === undefined ? null : stepToRelease(release);
  };
  return timePlot(panel, context, {
    label: 'Threads in time: blocked, ready, running, and who woke whom. The table below holds the same.',
    margins: CHAIN_MARGINS,
    height_px: chainHeight(lanes),
    draw: chainChart(lanes, model.origin_ns, backward ? context.params.link : null),
    events: {
      tooltip: makeTooltip(panel),
      at: (point) => spanUnder(point, lanes),
      lines: (span) => spanLines(lanes, span),
      choose: (span) => {
        const step = stepTo(span);
        if (step !== null) take(step, context);
      },
      mark: (span) => ({ ts: span.ts, label: spanLines(lanes, span).slice(0, 2).join(': ') }),
    },
  });
}

function spanUnder({ x: px, y, range, plot }: PlotPoint, lanes: Lanes): StateSpan | null {
  const lane = Math.floor(y / (LANE_PX + LANE_GAP_PX));
  const x = timeScale(range, plot.width);
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
  const panel = tablePanel(
    root,
    'Links',
    'each thread was woken by the one below it; choose one to go there',
  );
  const end = drawTable(panel, shownLinks(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'wake-chain/links',
    chosen: context.params.link,
    onChoose: (row) => {
      const step = stepToLink(model, row);
      if (step !== null) take(step, context);
    },
  });
  return end;
}

function drawReleases(root: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const panel = tablePanel(root, 'Released threads', `${releaseSentence(model)} Choose one to start there`);
  return drawTable(panel, releaseTable(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'wake-chain/released',
    onChoose: (row) => {
      const release = model.released[row];
      const step = release === undefined ? null : stepToRelease(release);
      if (step !== null) take(step, context);
    },
  });
}

function drawProcesses(root: HTMLElement, model: WakeChainModel, context: Context): () => void {
  const panel = tablePanel(root, 'By process', 'all that was released, together');
  return drawTable(panel, processTable(model), {
    origin_ns: model.origin_ns,
    context,
    name: 'wake-chain/processes',
  });
}

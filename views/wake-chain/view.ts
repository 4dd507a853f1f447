import { markdown, type TimeRange, type ViewContext } from '../../shared/view/index.ts';
import {
  answer,
  buttons,
  copyByButton,
  empty,
  LANE_GAP_PX,
  LANE_PX,
  own,
  pageView,
  panel,
  rangeAround,
  stillLines,
  table,
  timePicture,
  timeScale,
  type Block,
  type Button,
  type End,
  type Page,
  type PlotPoint,
} from '../kit/index.ts';
import { chainChart, chainHeight, CHAIN_MARGINS, chainSpan, stateLegend } from './chart.ts';
import { MAX_LANES, type Lanes, type StateSpan } from './lanes.ts';
import { loadWakeChain } from './load.ts';
import type { ChainLink, WakeChainModel } from './model.ts';
import { params, recording } from './params.ts';
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
import { processTable, shownLinks, shownReleases, wakeChainTables } from './tables.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;
type Direction = Context['params']['direction'];

/** Margin around what is chosen, as a part of its length; and around a chain. */
const ZOOM_MARGIN = 0.5;
const CHAIN_MARGIN = 0.02;
const TABLE_PX = 262;

/** Who woke this thread, who woke that one, and what did it set free? */
export const wakeChain = pageView({
  id: 'wake-chain',
  title: 'Wake chain',
  question: 'Who woke this thread, who woke that one, and what did it set free?',
  sql,
  params,
  modules: ['etw.ready_wait'],
  recording,
  keys: [
    { key: '[', title: 'Step back along the chain, to the waker' },
    { key: ']', title: 'Step forward, to what was woken' },
  ],
  paramsFor: ({ span, thread }) =>
    span === null || thread === null ? {} : { ts: span.start, tid: thread.tid },
  load: loadWakeChain,
  tables: wakeChainTables,
  page: (model, context) => (context.still ? stillPage(model, context) : page(model, context)),
});

const NO_RUN = 'No run to start from';

function page(model: WakeChainModel, context: Context): Page {
  const { direction, tid } = context.params;
  if (model.links.length === 0) {
    const why =
      tid === null
        ? 'No thread was ready without running in this range.'
        : `Thread ${tid} did not run at the chosen time, or after it.`;
    return [empty(NO_RUN, why)];
  }
  return [
    answer(shortAnswer(model, direction)),
    buttons(chainButtons(model, context)),
    ...(direction === 'backward'
      ? [chainPanel(model, context, direction), linksPanel(model, context), null]
      : [
          panel('By process', 'all that was released, together', [table(processTable(model))], {
            table_px: TABLE_PX,
          }),
          chainPanel(model, context, direction),
          releasesPanel(model, context),
        ]),
    own((parent) => bindKeys(parent, model, context)),
  ];
}

/** Both chains, each over the time that it takes. */
function stillPage(model: WakeChainModel, context: Context): Page {
  if (model.links.length === 0) return [empty(NO_RUN, '')];
  return [
    stillLines([{ text: longestSentence(model) ?? '', size: 13, gap: 12 }]),
    chainPanel(model, context, 'backward'),
    stillLines([
      ...model.links.map((link) => ({ text: linkSentence(link) })),
      ...(model.stop === null ? [] : [{ text: model.stop.sentence, isMuted: true, gap: 16 }]),
    ]),
    stillLines([{ text: releaseSentence(model) }]),
    chainPanel(model, context, 'forward'),
  ];
}

/** With whom the time went by, and what was set free: the answer, before the proof. */
function shortAnswer(model: WakeChainModel, direction: Direction): readonly string[] {
  const sentences =
    direction === 'backward'
      ? [longestSentence(model), model.stop?.sentence ?? null]
      : [releaseSentence(model), ...model.links.slice(0, 1).map(linkSentence)];
  return sentences.filter((sentence) => sentence !== null);
}

function lanesOf(model: WakeChainModel, direction: Direction): Lanes {
  return direction === 'backward' ? model.backward : model.forward;
}

/** Opens the explanation of a link's wait, the time that it was blocked included; null where no wake is known. */
function explains(
  { tid, ready_ts, blocked_ns, switch_in_ts }: ChainLink,
  context: Context,
): (() => void) | null {
  if (ready_ts === null) return null;
  const wait = { tid, from_ns: ready_ts - (blocked_ns ?? 0), to_ns: switch_in_ts };
  return () => context.openView('explain', wait);
}

function chainButtons(model: WakeChainModel, context: Context): readonly Button[] {
  const { direction, link } = context.params;
  const stepButton = (label: string, step: Step | null): Button => ({
    label,
    press: step && (() => take(step, context)),
  });
  const back = stepBack(model, link ?? 0);
  const past = back === null ? goPastDpc(model) : null;
  const { link: longest = 0 } = model.longest ?? {};
  const forward = startForward(model, link ?? 0);
  const span = chainSpan(lanesOf(model, direction));
  const chosen = model.links[link ?? 0];
  return [
    past === null
      ? stepButton('[  To its waker', back)
      : stepButton('[  Past the DPC: what it did before', past),
    stepButton(']  To what it woke', stepForward(model, link ?? 0)),
    ...(direction === 'backward' && longest > 0 && longest !== link
      ? [stepButton('Where most time went by', stepToLink(model, longest))]
      : []),
    direction === 'forward'
      ? { label: 'Who woke it', press: () => context.setParams({ direction: 'backward' }) }
      : {
          label: 'What it released',
          press: forward === null ? null : () => context.setParams(forward),
        },
    {
      label: 'Explain the wait',
      press: chosen === undefined ? null : explains(chosen, context),
    },
    {
      label: 'Show all of it',
      press:
        span === null ? null : () => context.zoomTo(rangeAround(span, context.trace.range, CHAIN_MARGIN)),
    },
    {
      label: 'Copy as Markdown',
      press: (button) => {
        void copyByButton(button, markdown('Wake chain', wakeChainTables(model), model.origin_ns));
      },
    },
  ];
}

/** Takes a step, where there is one. */
function take(step: Step | null, context: Context): void {
  if (step === null) return;
  context.setParams(step.params);
  context.select(step.selection);
  const { span } = step.selection;
  if (span !== null) context.zoomTo(rangeAround(span, context.trace.range, ZOOM_MARGIN));
}

/** `[` and `]` step along the chain, except where text is typed. */
function bindKeys(root: HTMLElement, model: WakeChainModel, context: Context): End {
  const bound = new AbortController();
  root.ownerDocument.addEventListener(
    'keydown',
    (event) => {
      const { target, key } = event;
      const typing = target instanceof Element && target.matches('input, textarea, select, dialog *');
      if (typing || event.ctrlKey || event.metaKey || (key !== '[' && key !== ']')) return;
      const link = context.params.link ?? 0;
      take(key === '[' ? (stepBack(model, link) ?? goPastDpc(model)) : stepForward(model, link), context);
    },
    { signal: bound.signal },
  );
  return () => bound.abort();
}

function chainPanel(model: WakeChainModel, context: Context, direction: Direction): Block {
  const lanes = lanesOf(model, direction);
  const backward = direction === 'backward';
  const full =
    lanes.threads.length === MAX_LANES ? `the first ${MAX_LANES} threads; the table holds all` : '';
  const stepTo = backward ? stepToLink : stepToRelease;
  const span = chainSpan(lanes);
  const chainRange = span && rangeAround(span, context.trace.range, CHAIN_MARGIN);
  return panel(backward ? 'Who woke it' : 'What it released', full, [
    timePicture({
      label: 'Threads in time: blocked, ready, running, and who woke whom. The table below holds the same.',
      height_px: chainHeight(lanes),
      margins: CHAIN_MARGINS,
      rangeOf: (inView: TimeRange) => (context.still ? (chainRange ?? inView) : inView),
      legend: stateLegend,
      draw: chainChart(lanes, model.origin_ns, backward ? context.params.link : null),
      at(point) {
        const found = spanUnder(point, lanes);
        if (found === null) return null;
        const lines = spanLines(lanes, found);
        const step = found.of === null ? null : stepTo(model, found.of);
        return {
          lines,
          choose: step ? () => take(step, context) : undefined,
          mark: { ts: found.ts, label: lines.slice(0, 2).join(': ') },
        };
      },
    }),
  ]);
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

function linksPanel(model: WakeChainModel, context: Context): Block {
  const choose = (row: number) => take(stepToLink(model, row), context);
  return panel(
    'Links',
    'each thread was woken by the one below it; choose one to go there',
    [table(shownLinks(model), { chosen: context.params.link, choose })],
    { table_px: TABLE_PX },
  );
}

function releasesPanel(model: WakeChainModel, context: Context): Block {
  const choose = (row: number) => take(stepToRelease(model, row), context);
  return panel(
    'Released threads',
    `${releaseSentence(model)} Choose one to start there`,
    [table(shownReleases(model), { choose })],
    { table_px: TABLE_PX },
  );
}

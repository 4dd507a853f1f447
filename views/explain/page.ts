import { OWNER_LABELS } from '../../shared/causes/index.ts';
import { formatDuration, formatShare, formatTime } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import { markdown, type ViewContext } from '../../shared/view/index.ts';
import {
  answer,
  buttons,
  choiceOf,
  copyByButton,
  empty,
  lanes,
  panel,
  rangeAround,
  stillLines,
  table,
  type Block,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { spanOf, stretchAt, waterfallChart } from './chart.ts';
import { MAX_LANES, type LaneStretch } from './lanes.ts';
import type { ExplainedDelay, ExplainModel } from './model.ts';
import type { params } from './params.ts';
import { explainTables, listedParts, ownerTable, partTable, partTitle } from './tables.ts';

type Context = ViewContext<typeof params>;

/** Margin around what is shown, as a part of its length. */
const ZOOM_MARGIN = 0.02;
/** How far from a stretch a pointer still finds it, as a part of what is in sight. */
const REACH = 0.002;
const MOST_PX = 420;
const TABLE_PX = 262;
/** How many owners a still names. */
const NAMED = 15;

/** A delay: where its time went in one sentence, as a waterfall over its threads, by owner, and part by part. */
export function explainPage(model: ExplainModel, context: Context): Page {
  const { delay, nothing } = model;
  if (delay === null) return [empty('No delay to explain', nothing ?? '')];
  return [
    answer([delay.sentence]),
    buttons([
      {
        label: 'Show all of it',
        press: () => context.zoomTo(rangeAround(spanOf(delay), context.trace.range, ZOOM_MARGIN)),
      },
      {
        label: 'Copy as Markdown',
        press: (button) => {
          const text = markdown('Explain a delay', explainTables(model), model.origin_ns);
          void copyByButton(button, text);
        },
      },
    ]),
    waterfall(model, delay, context),
    panel(
      'By owner',
      `adds up to ${formatDuration(delay.dur)}`,
      [
        table(ownerTable(model), {
          choose: rowChoice(delay.owners, ({ longest_ts: ts, longest_ns: dur, thread }) =>
            context.select(choiceOf({ ts, dur, ...thread })),
          ),
        }),
        stillLines(delay.owners.slice(0, NAMED).map((owner) => ({ text: ownerLine(owner) }))),
      ],
      { table_px: TABLE_PX },
    ),
    panel(
      partTitle(model),
      'choose one to select its time and thread',
      [
        table(partTable(model), {
          choose: rowChoice(listedParts(model), (part) =>
            choose({ ...part, part, block: null }, delay, context),
          ),
        }),
      ],
      { table_px: TABLE_PX },
    ),
  ];
}

function ownerLine({ thread, owner, sum_ns, share, detail }: ExplainedDelay['owners'][number]): string {
  const of = `${formatDuration(sum_ns)} (${formatShare(share)})  ${threadLabel(thread)}  ${OWNER_LABELS[owner]}`;
  return detail === null ? of : `${of}: ${detail}`;
}

function waterfall({ origin_ns }: ExplainModel, delay: ExplainedDelay, context: Context): Block {
  const chart = waterfallChart(delay, origin_ns);
  const hidden = delay.threads.length - chart.lanes.threads.length;
  const aside =
    hidden > 0 ? `the ${MAX_LANES} threads with most time; the tables hold all` : 'the delayed thread on top';
  return panel('Waterfall', aside, [
    lanes({
      label: 'What each thread did in the delay, and who woke whom. The tables below hold the same.',
      chart,
      still_range: rangeAround(spanOf(delay), context.trace.range, ZOOM_MARGIN),
      most_px: MOST_PX,
      at: (lane, { ts, range }) => {
        const stretch = stretchAt(chart.lanes, lane, ts, (range.end - range.start) * REACH);
        if (stretch === null) return null;
        const lines = linesOf(stretch, delay, origin_ns);
        return {
          lines,
          choose: () => choose(stretch, delay, context),
          mark: { ts: stretch.ts, label: lines.slice(0, 2).join(': ') },
        };
      },
    }),
  ]);
}

function linesOf(
  { ts, dur, part, block, lane }: LaneStretch,
  delay: ExplainedDelay,
  origin_ns: number,
): string[] {
  const number = part?.thread ?? block?.thread ?? lane;
  const thread = delay.threads[number];
  const waker = block === null ? undefined : delay.threads[block.waker];
  const what =
    part === null
      ? `blocked until ${waker === undefined ? 'another thread' : threadLabel(waker)} woke it`
      : OWNER_LABELS[part.owner];
  return [
    thread === undefined ? '' : threadLabel(thread),
    `${what}, ${formatDuration(dur)} from ${formatTime(ts, origin_ns)}`,
    ...(block?.wait_reason == null ? [] : [`wait reason ${block.wait_reason}`]),
    ...(part?.cpu == null ? [] : [`CPU ${part.cpu}`]),
    ...(part?.detail == null ? [] : [part.detail]),
  ];
}

function choose(
  { ts, dur, part, block }: Pick<LaneStretch, 'ts' | 'dur' | 'part' | 'block'>,
  delay: ExplainedDelay,
  context: Context,
): void {
  const thread = delay.threads[part?.thread ?? block?.thread ?? 0];
  if (thread !== undefined) context.select(choiceOf({ ts, dur, ...thread }));
}

import { formatCount, formatShown } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  empty,
  figures,
  pageView,
  panel,
  remarks,
  stepPicture,
  stillLines,
  table,
  type Block,
  type Page,
} from '../kit/index.ts';
import { rateLines, ratesChart } from './chart.ts';
import { loadPairs } from './load-pairs.ts';
import { loadSwitches } from './load.ts';
import type { SwitchesModel, SwitchPair, Pairs } from './model.ts';
import { params, recording } from './params.ts';
import { formatRate, judgement, summary } from './summary.ts';
import { groupTable, pairTable, switchesTables } from './tables.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

/** Pairs that a still writes out. */
const STILL_PAIRS = 5;

/** How often do CPUs switch threads, and which take turns? */
export const contextSwitches = pageView({
  id: 'context-switches',
  title: 'Context switches',
  question: 'How often do CPUs switch threads, and which take turns?',
  sql,
  params,
  modules: ['etw.process', 'etw.cpu', 'etw.sample'],
  recording,
  load: loadSwitches,
  later: { modules: ['etw.ready_wait'], load: loadPairs },
  tables: switchesTables,
  page,
});

function page(model: SwitchesModel, context: Context): Page {
  if (model.switches.every((switches) => switches === 0))
    return [empty('No context switches here', 'None were recorded in this range.')];
  const { by, groups } = model;
  const open = (at: number) => {
    const { process = null, tid = null } = groups[at] ?? {};
    if (by === 'process' && process !== null) context.setParams({ by: 'thread', process });
    if (by === 'thread' && tid !== null) context.openView('ready-latency', { thread: String(tid) });
  };
  return [
    figures(summary(model)),
    remarks(judgement(model)),
    ratesPanel(model),
    pairsPanel(model, context),
    panel(groupTable(model).title, groupsWords(model), [
      table(groupTable(model), { name: by, follows: false, ...(by !== 'cpu' && { choose: open }) }),
    ]),
  ];
}

function ratesPanel(model: SwitchesModel): Block {
  return panel('Context switches per second', 'grey: all CPUs and threads', [
    stepPicture(ratesChart(model), {
      label:
        'Context switches per second over time. The tables below hold the sums; the key T shows each bucket.',
      height_px: 260,
      still_px: 340,
      lines: (bucket, span) => rateLines(model, bucket, span),
    }),
  ]);
}

function pairsPanel({ pairs }: SwitchesModel, context: Context): Block {
  const aside = pairs === null ? 'counting …' : `${pairsWords(pairs)}; click: ready waits of the first`;
  const open = (at: number) => {
    const tid = pairs?.pairs[at]?.a.tid ?? null;
    if (tid !== null) context.openView('ready-latency', { thread: String(tid) });
  };
  const told = pairs?.pairs.slice(0, STILL_PAIRS) ?? [];
  return panel('Pairs of threads: who takes turns with whom', aside, [
    pairs === null ? null : table(pairTable(pairs), { name: 'pairs', follows: false, choose: open }),
    told.length === 0 ? null : stillLines(told.map((pair) => ({ text: pairWords(pair) }))),
  ]);
}

function pairWords({ a, b, per_s, ...counts }: SwitchPair): string {
  const wakes = `${formatCount(counts.wakes_there)} and ${formatCount(counts.wakes_back)} wakes`;
  const switches = `${formatCount(counts.switches_there)} and ${formatCount(counts.switches_back)} switches`;
  return `${a.label} ⇄ ${b.label}: ${formatRate(per_s)}, ${wakes}, ${switches}`;
}

/** How pairs were counted. */
function pairsWords({ pairs, pair_count, one_in }: Pairs): string {
  const first =
    pairs.length < pair_count ? `the first ${formatCount(pairs.length)} of ${formatCount(pair_count)}; ` : '';
  return one_in === 1
    ? `${first}every switch and wake of the range`
    : first +
        `estimates: one in ${formatCount(Math.max(2, one_in))} looked at, evenly over the range; zoom in for exact counts`;
}

/** How many groups there are, and what a click does. */
function groupsWords({ by, groups, group_count }: SwitchesModel): string {
  const count = formatShown(groups.length, group_count, 'the first ');
  if (by === 'process') return `${count}; click: its threads`;
  return by === 'thread' ? `${count}; click: its ready waits` : count;
}

import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  choiceOf,
  empty,
  figures,
  flameChart,
  flameHeight,
  layOut,
  mountFlame,
  own,
  pageView,
  panel,
  table,
  type Block,
  type FlameNode,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { loadBlockedTime, type BlockedTimeModel } from './load.ts';
import { params, recording } from './params.ts';
import type { BlockedRow } from './sums.ts';
import { blockedTimeTables } from './tables.ts';
import sql from './query.sql';

const LOOK = { upward: false, search: '' };
const TABLE_PX = 260;

const TITLES: Readonly<Record<BlockedTimeModel['by'], string>> = {
  reason: 'By wait reason, process, thread and waker',
  waker: 'By waker, thread and wait reason',
  'wait-stack': 'By process, wait stack and wait reason',
  'ready-stack': 'By waker, readying stack and thread',
};

/** For what were threads blocked, and who ended it? */
export const blockedTime = pageView({
  id: 'blocked-time',
  title: 'Blocked time',
  question: 'For what were threads blocked, and who ended it?',
  sql,
  params,
  modules: ['etw.ready_wait', 'etw.sample'],
  recording,
  load: loadBlockedTime,
  tables: blockedTimeTables,
  page,
});

function page(model: BlockedTimeModel, context: ViewContext<typeof params>): Page {
  const { ns, count, work_ns, lists } = model;
  if (count === 0) return [empty('No blocked thread here', 'No thread was blocked, but for waits for work.')];
  const choose = ({ longest_ts: ts, longest_ns: dur, thread }: BlockedRow) => {
    if (thread !== undefined) context.select(choiceOf({ ts, dur, ...thread }));
  };
  const tables = blockedTimeTables(model);
  return [
    figures([
      ['blocked, all threads together', formatDuration(ns)],
      ['blocks', formatCount(count)],
      ...(work_ns > 0 ? [['waits for work, left out', formatDuration(work_ns)] as const] : []),
    ]),
    flameBlock(model),
    ...lists.map(({ title, rows, all }, at) => {
      const cut = rows.length < all ? `the longest ${formatCount(rows.length)} of ${formatCount(all)}; ` : '';
      const shown = tables[at];
      const list = shown && table(shown, { name: title, choose: rowChoice(rows, choose) });
      return panel(title, `${cut}choose one to select its longest block`, list ? [list] : [], {
        table_px: TABLE_PX,
      });
    }),
  ];
}

function flameBlock({ root, by, ns }: BlockedTimeModel): Block {
  const label = `Blocked time: ${TITLES[by]}. The tables below have the sums`;
  const lines = ({ label: name, samples }: FlameNode) => [
    name,
    `${formatDuration(samples)} blocked (${formatShare(samples / ns)})`,
  ];
  const boxes = layOut(root, null);
  const margins = { top: 2, right: 2, bottom: 2, left: 2 };
  return panel(TITLES[by], 'a frame is as wide as its blocked time; click zooms', [
    own(
      (parent) => mountFlame(parent, root, { label, look: LOOK, lines }),
      (still) => still.chart(flameHeight(boxes) + 4, margins, flameChart(boxes, LOOK)),
    ),
  ]);
}

import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { empty, figures, pageView, panel, picture, table, type Page, rowChoice } from '../kit/index.ts';
import { loadBlameView, type BlameModel, type BlameRow } from './load.ts';
import { params, recording } from './params.ts';
import { drawScatter, scatterAt, scatterLegend, SCATTER_MARGINS } from './scatter.ts';
import { blameTables } from './tables.ts';
import sql from './query.sql';

const SCATTER_PX = 340;
const TABLE_PX = 420;

/** For whom did others wait, and how long? */
export const blame = pageView({
  id: 'blame',
  title: 'Blame',
  question: 'For whom did others wait, and how long?',
  sql,
  params,
  modules: ['etw.ready_wait', 'etw.sample'],
  recording,
  load: loadBlameView,
  tables: blameTables,
  page,
});

const NOTHING: Partial<Record<BlameModel['by'], string>> = {
  driver: 'No DPC and no interrupt ended a wait.',
  module: 'No sample was taken here.',
  knot: 'No threads wait only for each other.',
};

function page(model: BlameModel, context: ViewContext<typeof params>): Page {
  const { by, rows, all, active_ns, blocked_ns } = model;
  if (rows.length === 0)
    return [empty('No cause to blame here', NOTHING[by] ?? 'No thread waited for another.')];
  const choose = ({ thread }: BlameRow) => {
    if (thread === undefined) return;
    const { tid, pid } = thread;
    context.select({ span: null, thread: { tid, ts: context.range.start }, pid });
  };
  const [list] = blameTables(model);
  const cut = rows.length < all ? `the first ${formatCount(rows.length)} of ${formatCount(all)}` : '';
  const isActive = by === 'thread' || by === 'process' || by === 'service';
  const order = isActive ? 'by how long others waited while it was active' : '';
  const choice = by === 'driver' || by === 'module' ? '' : 'choose one to select its thread';
  const shown = [cut, order, choice].filter((words) => words !== '').join('; ');
  return [
    figures([
      ['others waited, all together', formatDuration(active_ns + blocked_ns)],
      ['for what ran or was ready', formatDuration(active_ns)],
      ['for what was blocked itself', formatDuration(blocked_ns)],
    ]),
    rows.some(({ waits_ns }) => waits_ns > 0)
      ? panel('Waits of others, against CPU time', 'above the line others waited longer than it ran', [
          picture({
            label: `${list.title}, by CPU time and by how long others waited. The table below holds the same.`,
            height_px: SCATTER_PX,
            margins: SCATTER_MARGINS,
            legend: scatterLegend,
            draw: (plot) => drawScatter(plot, rows),
            at: (point) => scatterAt(rows, point, choose),
          }),
        ])
      : null,
    panel(list.title, shown, [table(list, { choose: rowChoice(rows, choose) })], {
      table_px: TABLE_PX,
    }),
  ];
}

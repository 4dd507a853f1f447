import { sum } from 'd3';
import { formatShown, formatDuration } from '../../shared/model/index.ts';
import { threadLabel } from '../../shared/threads/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { empty, lanes, pageView, panel, chooseAndZoom, table, rowChoice } from '../kit/index.ts';
import type { LaneChart, Page } from '../kit/index.ts';
import { loadUserLocks, type LockSpan, type UserLocksModel } from './load.ts';
import { params, recording } from './params.ts';
import { userLockTables } from './tables.ts';
import sql from './query.sql';

const MOST_LANES = 24;
const [HOLD_PX, WAIT_PX] = [18, 8];

/** Who held the window manager's lock, who waited for it, and what did the holder do meanwhile? */
export const userLocks = pageView({
  id: 'user-locks',
  title: 'User locks',
  question: 'Who held the window manager’s lock, who waited for it, and what did the holder do meanwhile?',
  sql,
  params,
  modules: ['etw.user_lock', 'etw.ready_wait'],
  recording,
  load: loadUserLocks,
  tables: userLockTables,
  page,
});

function page(model: UserLocksModel, context: ViewContext<typeof params>): Page {
  const { waits, holds, threads } = model;
  if (threads.length === 0) return [empty('No use of the user lock here', 'No thread had it or wanted it.')];
  const [waitTable, threadTable] = userLockTables(model);
  const choose = (span: LockSpan) => chooseAndZoom(context, { ...span, ...span.thread });
  const at = (lane: number, point: { readonly ts: number }) => {
    const isHit = ({ utid, ts, dur }: LockSpan) =>
      utid === threads[lane]?.utid && ts <= point.ts && point.ts <= ts + dur;
    const wait = waits.find(isHit);
    const span = wait ?? holds.find(isHit);
    if (span === undefined) return null;
    const words = `${wait ? 'waited for' : 'held'} the lock for ${formatDuration(span.dur)}`;
    return { lines: [threadLabel(span.thread), words], choose: () => choose(span) };
  };
  return [
    panel('The lock over time', `${listed(model, 'waits')}; ${listed(model, 'holds')}`, [
      lanes({ label: 'When threads held the user lock and waited for it.', chart: lockChart(model), at }),
    ]),
    panel(waitTable.title, `${listed(model, 'waits')}; choose one to zoom to it`, [
      table(waitTable, {
        chosen: ({ span }) => waits.findIndex(({ ts, dur }) => ts === span?.start && ts + dur === span.end),
        choose: rowChoice(waits, choose),
      }),
    ]),
    panel(threadTable.title, threads.length > MOST_LANES ? `the first ${MOST_LANES} have a lane` : '', [
      table(threadTable, { follows: false }),
    ]),
  ];
}

function listed({ threads, ...model }: UserLocksModel, what: 'waits' | 'holds'): string {
  const [shown, all] = [model[what].length, sum(threads, (thread) => thread[what])];
  return `${formatShown(shown, all, 'the longest ')} ${what}`;
}

function lockChart({ waits, holds, threads, origin_ns }: UserLocksModel): LaneChart {
  const shown = threads.slice(0, MOST_LANES);
  const laneOf = new Map(shown.map(({ utid }, lane) => [utid, lane]));
  return {
    origin_ns,
    lane_px: HOLD_PX,
    gap_px: 6,
    names: shown.map(({ thread }) => [threadLabel(thread)]),
    legend: ({ series: [waited, held] }) => [
      { label: 'held the lock', color: held },
      { label: 'waited for it', color: waited },
    ],
    draw(plot, space) {
      const [waited, held] = plot.palette.series;
      const bars = (color: string, spans: readonly LockSpan[], height_px: number) =>
        plot.fill(color, (pen) => {
          for (const { utid, ts, dur } of spans) {
            const lane = laneOf.get(utid);
            if (lane === undefined || ts >= space.range.end || ts + dur <= space.range.start) continue;
            const top = space.top(lane) + (HOLD_PX - height_px) / 2;
            pen.rect(space.x(ts), top, Math.max(1, space.x(ts + dur) - space.x(ts)), height_px);
          }
        });
      bars(held, holds, HOLD_PX);
      bars(waited, waits, WAIT_PX);
    },
  };
}

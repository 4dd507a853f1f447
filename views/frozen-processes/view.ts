import { processLabel, threadLabel } from '../../shared/threads/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  empty,
  lanes,
  pageView,
  panel,
  chooseAndZoom,
  stillLines,
  table,
  type Page,
  rowChoice,
} from '../kit/index.ts';
import { freezeAt, freezeChart } from './chart.ts';
import { loadFrozenProcesses } from './load.ts';
import { freezesOf, type Freeze, type FrozenProcessesModel } from './model.ts';
import { params, recording } from './params.ts';
import { freezeTable, frozenProcessesTables } from './tables.ts';
import { frozenWords, meanwhileWords, summary } from './words.ts';
import sql from './query.sql';

/** How many freezes a still puts in words. */
const STILL_FREEZES = 12;

/** Which processes were frozen, by whom, and what waited? */
export const frozenProcesses = pageView({
  id: 'frozen-processes',
  title: 'Frozen processes',
  question: 'Which processes were frozen, by whom, and what waited?',
  sql,
  params,
  modules: ['etw.ready_wait'],
  recording,
  load: loadFrozenProcesses,
  tables: frozenProcessesTables,
  page,
});

function page(model: FrozenProcessesModel, context: ViewContext<typeof params>): Page {
  if (model.lanes.length === 0) return [empty('No freezes here', summary(model))];
  const freezes = freezesOf(model);
  const choose = (freeze: Freeze) => chooseAndZoom(context, freeze);
  return [
    panel('Frozen over time', summary(model), [
      lanes({
        label: 'When each process was frozen. The table below holds the freezes.',
        chart: freezeChart(model),
        at(lane, { ts }) {
          const freeze = freezeAt(model.lanes[lane], ts);
          return (
            freeze && {
              lines: [processLabel(freeze), ...freezeWords(freeze, model.origin_ns)],
              choose: () => choose(freeze),
              mark: { ts: freeze.ts, label: `${processLabel(freeze)} frozen` },
            }
          );
        },
      }),
    ]),
    panel('Freezes', 'choose one to zoom to it', [
      table(freezeTable(model), {
        chosen: ({ span, pid }) =>
          freezes.findIndex((freeze) => freeze.ts === span?.start && freeze.pid === pid),
        choose: rowChoice(freezes, choose),
      }),
    ]),
    stillLines(
      freezes.slice(0, STILL_FREEZES).flatMap((freeze) => {
        const [frozen = '', ...more] = freezeWords(freeze, model.origin_ns);
        return [
          { text: `${processLabel(freeze)} ${frozen}` },
          ...more.map((text) => ({ text, isMuted: true })),
        ];
      }),
    ),
  ];
}

function freezeWords(freeze: Freeze, origin_ns: number): readonly string[] {
  const { frozen_by } = freeze;
  const lines = [
    frozenWords(freeze, origin_ns),
    frozen_by === null ? '' : `frozen by ${threadLabel(frozen_by)}`,
    meanwhileWords(freeze, origin_ns),
  ];
  return lines.filter((line) => line !== '');
}

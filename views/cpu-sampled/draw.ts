import * as d3 from 'd3';
import type { ViewContext, ViewTable } from '../../shared/view/index.ts';
import { addEmpty, addNotes, addPanel, addSection, addStats, drawTable, endAll } from '../kit/index.ts';
import { heaviestStack } from './copied-stack.ts';
import { addCopyButton } from './copy-button.ts';
import { drawFlame } from './flame-panel.ts';
import type { CpuSampledModel } from './model.ts';
import type { params } from './params.ts';
import { butterflyTables, functionTable, groupTable } from './tables.ts';
import { emptyWords, loopSentence, rowsWords, summary } from './words.ts';

type Context = ViewContext<typeof params>;

const TABLE_PX = 280;

/** Draws the view into a window. Returns what undoes it. */
export function drawCpuSampled(container: HTMLElement, model: CpuSampledModel, context: Context): () => void {
  if (model.samples === 0) {
    const [title, text] = emptyWords(model);
    addNotes(
      container,
      model.notes.filter((note) => note !== text),
    );
    addEmpty(container, title, text);
    return endAll([], container);
  }
  addNotes(container, model.notes);
  addStats(container, summary(model));
  drawLoops(container, model, context);
  const ends = [drawFlame(container, model, context)];
  const functions = functionTable(model);
  const isChosen = model.functions.findIndex(({ label }) => label === model.butterfly?.chosen.label);
  const row = (
    ...tables: readonly { table: ViewTable; chosen?: number; count?: number; copied?: string }[]
  ) => {
    const section = addSection(container, 'cpu-sampled-tables');
    section.style.cssText = `display: grid; gap: 12px; grid-template-columns: repeat(${tables.length}, minmax(0, 1fr)); --table-height: ${TABLE_PX}px`;
    for (const { table, chosen, count, copied } of tables) {
      const aside = rowsWords(table.rows.length, count ?? table.rows.length);
      const panel = addPanel(section, table.title, aside);
      if (copied !== undefined) {
        addCopyButton(panel, {
          label: 'Copy stack',
          title: `Copies the frames of the stack in the picture that leads to ${copied} with most samples, one a line`,
          text: () => heaviestStack(copied, model),
        });
      }
      const named = table.columns[0]?.name === 'function';
      ends.push(
        drawTable(panel, table, {
          origin_ns: model.origin_ns,
          name: `cpu-sampled/${table.title.split(' of ')[0] ?? ''}`,
          chosen: chosen ?? null,
          ...(named && { onChoose: (at: number) => choose(table.rows[at]?.[0]) }),
        }),
      );
    }
  };
  const choose = (name: unknown) => {
    if (typeof name === 'string') context.setParams({ function: name });
  };
  row({ table: groupTable(model) });
  row({ table: functions, chosen: isChosen, count: model.function_count });
  const { caller_count = 0, callee_count = 0 } = model.butterfly ?? {};
  const counts = [caller_count, callee_count];
  const copied = model.butterfly?.chosen.label;
  row(
    ...butterflyTables(model).map((table, index) => ({
      table,
      count: counts[index] ?? 0,
      ...(index === 0 && copied !== undefined && { copied }),
    })),
  );
  return endAll(ends, container);
}

/** Says which loops are hot, and which instructions they are. */
function drawLoops(container: HTMLElement, model: CpuSampledModel, { params }: Context): void {
  const bounds = `${params.loop_share ?? 50} % of a process within ${params.loop_bytes ?? 128} bytes`;
  const panel = addPanel(container, 'Hot loops', bounds);
  const list = d3.select(panel).append('ul').attr('class', 'hot-loops');
  if (model.hot_loops.length === 0) list.append('li').text('None.');
  for (const loop of model.hot_loops) {
    const item = list.append('li');
    item.append('strong').text(loopSentence(loop));
    const parts = loop.hottest.map(({ label, samples }) => `${label} ${samples}`);
    const which = loop.hottest.length < loop.addresses ? `, the ${loop.hottest.length} hottest` : '';
    item.append('p').text(`Samples by instruction${which}: ${parts.join(' · ')}`);
  }
}

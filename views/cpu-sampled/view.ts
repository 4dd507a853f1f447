import type { HotLoop } from '../../shared/profile/index.ts';
import type { ViewContext, ViewTable } from '../../shared/view/index.ts';
import {
  empty,
  figures,
  own,
  pageView,
  panel,
  row,
  stillLines,
  table,
  type Block,
  type Page,
} from '../kit/index.ts';
import { heaviestStack } from './copied-stack.ts';
import { addCopyButton } from './copy-button.ts';
import { flameBlock } from './flame-panel.ts';
import { loadCpuSampled } from './load.ts';
import type { CpuSampledModel } from './model.ts';
import { params, recording } from './params.ts';
import { butterflyTables, cpuSampledTables, functionTable, groupTable } from './tables.ts';
import { emptyWords, loopSentence, rowsWords, summary } from './words.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

const TABLE_PX = 280;

/** Which code used the CPUs? */
export const cpuSampled = pageView({
  id: 'cpu-sampled',
  title: 'CPU usage, sampled',
  question: 'Which code used the CPUs?',
  sql,
  params,
  modules: ['etw.process', 'etw.sample'],
  recording,
  load: loadCpuSampled,
  tables: cpuSampledTables,
  page,
});

function page(model: CpuSampledModel, context: Context): Page {
  if (model.samples === 0) return [empty('No samples here', emptyWords(model))];
  const { butterfly, functions, function_count } = model;
  const isChosen = functions.findIndex(({ label }) => label === butterfly?.chosen.label);
  const counts = [butterfly?.caller_count ?? 0, butterfly?.callee_count ?? 0];
  const copied = butterfly?.chosen.label;
  return [
    figures(summary(model)),
    loopsPanel(model.hot_loops, context),
    flameBlock(model, context),
    tablePanel(groupTable(model), {}, context),
    tablePanel(functionTable(model), { chosen: isChosen, count: function_count }, context),
    row(
      TABLE_PX,
      1,
      butterflyTables(model).map((each, at) => {
        const copy = at === 0 && copied !== undefined ? copyButton(copied, model) : null;
        return tablePanel(each, { count: counts[at] ?? 0, copy }, context);
      }),
    ),
  ];
}

/** A table; where its rows are functions, a click chooses one. */
function tablePanel(
  shown: ViewTable,
  more: { readonly chosen?: number; readonly count?: number; readonly copy?: Block | null },
  context: Context,
): Block {
  const { chosen = null, count = shown.rows.length, copy = null } = more;
  const choose = (at: number) => {
    const name = shown.rows[at]?.[0];
    if (typeof name === 'string') context.setParams({ function: name });
  };
  const isOfFunctions = shown.columns[0]?.name === 'function';
  const name = shown.title.split(' of ')[0] ?? '';
  return panel(
    shown.title,
    rowsWords(shown.rows.length, count),
    [copy, table(shown, { name, follows: false, chosen, ...(isOfFunctions && { choose }) })],
    { table_px: TABLE_PX },
  );
}

function copyButton(copied: string, model: CpuSampledModel): Block {
  const title = `Copies the frames of the stack in the picture that leads to ${copied} with most samples, one a line`;
  const text = () => heaviestStack(copied, model);
  return own((parent) => addCopyButton(parent, { label: 'Copy stack', title, text }).end);
}

/** Which loops are hot, and which instructions they are. */
function loopsPanel(loops: readonly HotLoop[], { params: { loop_share, loop_bytes } }: Context): Block {
  const bounds = `${loop_share ?? 50} % of a process within ${loop_bytes ?? 128} bytes`;
  return panel(
    'Hot loops',
    bounds,
    [
      own((parent) => {
        const list = parent.appendChild(parent.ownerDocument.createElement('ul'));
        list.className = 'hot-loops';
        const add = (to: HTMLElement, name: string, text: string) => {
          const element = to.appendChild(to.ownerDocument.createElement(name));
          element.textContent = text;
          return element;
        };
        if (loops.length === 0) add(list, 'li', 'None.');
        for (const loop of loops) {
          const item = add(list, 'li', '');
          add(item, 'strong', loopSentence(loop));
          add(item, 'p', instructionWords(loop));
        }
        return () => undefined;
      }),
      stillLines(loops.map((loop) => ({ text: loopSentence(loop), size: 13 }))),
    ],
    { isNamedInStill: false },
  );
}

function instructionWords({ hottest, addresses }: HotLoop): string {
  const parts = hottest.map(({ label, samples }) => `${label} ${samples}`);
  const which = hottest.length < addresses ? `, the ${hottest.length} hottest` : '';
  return `Samples by instruction${which}: ${parts.join(' · ')}`;
}

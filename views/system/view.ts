import { formatCell, formatCount } from '../../shared/model/index.ts';
import type { ViewContext, ViewTable } from '../../shared/view/index.ts';
import {
  fitted,
  pageView,
  panel,
  row,
  stillLines,
  table,
  type Page,
  type StillLine,
  rowChoice,
} from '../kit/index.ts';
import { loadSystem } from './load.ts';
import { LOSSES_MAX, type SystemModel } from './model.ts';
import { params } from './params.ts';
import { systemTables } from './tables.ts';
import sql from './query.sql';

const TABLE_PX = 520;
/** Rows of a table that a still writes out, and letters of a line. */
const STILL_ROWS = 12;
const LINE_LETTERS = 170;

/** Which machine was recorded, with what, and what is missing? */
export const system = pageView({
  id: 'system',
  title: 'System',
  question: 'Which machine was recorded, with what, and what is missing?',
  sql,
  params,
  modules: ['etw.process'],
  whole: true,
  load: loadSystem,
  tables: systemTables,
  page,
});

/** A panel for each table. */
function page(model: SystemModel, context: ViewContext<typeof params>): Page {
  return [
    row(
      TABLE_PX,
      1,
      systemTables(model).map((shown) => {
        const { title, rows } = shown;
        const count = formatCount(rows.length);
        const isCut = title === 'Losses' && rows.length === LOSSES_MAX;
        const choose = choiceIn(model, title, context);
        return panel(
          title,
          isCut ? `the first ${count}` : count,
          [
            table(shown, choose === undefined ? {} : { choose }),
            stillLines([
              ...(rows.length > STILL_ROWS ? [{ text: `the first ${STILL_ROWS}`, isMuted: true }] : []),
              ...rows.slice(0, STILL_ROWS).map((_, at) => rowLine(shown, at, model.origin_ns)),
            ]),
          ],
          // Its sentences are longer than half a window.
          title === 'Not recorded' ? { className: 'whole-row' } : {},
        );
      }),
    ),
  ];
}

/** A row of a table in one line. */
function rowLine({ columns, rows }: ViewTable, at: number, origin_ns: number): StillLine {
  const cells = (rows[at] ?? []).map((cell, index) =>
    formatCell(cell, columns[index]?.kind ?? 'text', origin_ns),
  );
  return { text: fitted(cells.join('   '), LINE_LETTERS), size: 11, gap: 4 };
}

/** What the choice of a row of a table does; undefined where it does nothing. */
function choiceIn(
  { providers, services }: SystemModel,
  title: string,
  context: ViewContext<typeof params>,
): ((row: number) => void) | undefined {
  if (title === 'Services')
    return rowChoice(services, ({ pid }) => {
      if (pid !== null) context.select({ span: null, thread: null, pid });
    });
  if (title === 'Events by provider')
    return rowChoice(providers, ({ provider, generic }) => {
      if (generic > 0) context.openView('generic-events', { provider });
    });
  return undefined;
}

import { toNumber } from '../../../shared/engine/index.ts';
import type { PanelModel } from '../../../shared/panel/index.ts';
import { fillValue } from '../../../shared/sql-file/index.ts';
import { follow } from '../query/navigate.ts';
import type { Session } from '../session.ts';
import { goTo, selection } from '../state.ts';
import { openPanel } from './places.ts';

/** Does what a click on a row of a panel does. */
export async function followRow(session: Session, model: PanelModel, row: number): Promise<void> {
  const { click, rows } = model;
  if (click === null) return;
  const columns = model.columns.map(({ name }) => name);
  const cells = {
    columns,
    rowCount: rows.length,
    cell: (at: number, column: number) => rows[at]?.[column] ?? null,
  };
  if (click.does === 'view' || click.does === 'panel') {
    const byName = Object.fromEntries(columns.map((name, at) => [name, rows[row]?.[at] ?? null]));
    const filled = click.params
      .map(([name, value]) => [name, fillValue(value, byName)] as const)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]);
    const params = Object.fromEntries(filled) as Readonly<Record<string, unknown>>;
    if (click.does === 'panel') openPanel(click.id, params);
    else goTo({ view: click.id, params });
    return;
  }
  const leading = { time: 'ts', thread: 'utid', process: 'upid' }[click.does];
  await follow(session, cells, row, columns.indexOf(leading));
  const at = (name: string) => toNumber(rows[row]?.[columns.indexOf(name)]);
  const ts = at('ts');
  if (click.does === 'time' || ts === null) return;
  goTo({ selection: { ...selection.peek(), span: { start: ts, end: ts + Math.max(0, at('dur') ?? 0) } } });
}

import { toNumber } from '../../../shared/engine/index.ts';
import { rangeAround } from '../../../views/kit/index.ts';
import type { ResultCells } from '../result-table/result-table.ts';
import type { Session } from '../session.ts';
import { goTo, loaded, selection, zoomTo } from '../state.ts';
import processOfSql from './process-of.sql';
import threadOfSql from './thread-of.sql';

const MARGIN = 0.2;

type Target = 'time' | 'thread' | 'process';

/** What a cell of a column leads to, by the column's name as the tables have it; null for others. */
export function targetOf(column: string): Target | null {
  if (/^(ts|te|dur|.+_ts)$/.test(column)) return 'time';
  if (/^(utid|.+_utid)$/.test(column)) return 'thread';
  return /^(upid|.+_upid)$/.test(column) ? 'process' : null;
}

/** In words, what a click on a cell of a column does; null where it does nothing. */
export function linkOf(column: string): string | null {
  switch (targetOf(column)) {
    case 'time':
      return 'Zoom to this time';
    case 'thread':
      return 'Choose this thread';
    case 'process':
      return 'Choose this process';
    case null:
      return null;
  }
}

/** Goes to what a cell is of: zooms to its time, or chooses its thread or process. In words, what was done. */
export async function follow(
  session: Session,
  result: ResultCells,
  row: number,
  column: number,
): Promise<string | null> {
  const name = result.columns[column] ?? '';
  const value = toNumber(result.cell(row, column));
  if (value === null) return null;
  switch (targetOf(name)) {
    case 'time':
      return showTime(result, row, name, value);
    case 'thread': {
      const [thread] = (await session.outline(threadOfSql, { utid: value })).rows();
      if (thread === undefined) return `No thread of this trace has the utid ${value}.`;
      const { tid, pid, ts } = thread;
      goTo({
        selection: { ...selection.peek(), thread: { tid: Number(tid), ts: Number(ts) }, pid: toNumber(pid) },
      });
      return `Thread ${Number(tid)} is chosen.`;
    }
    case 'process': {
      const [process] = (await session.outline(processOfSql, { upid: value })).rows();
      if (process === undefined) return `No process of this trace has the upid ${value}.`;
      goTo({ selection: { ...selection.peek(), thread: null, pid: toNumber(process.pid) } });
      return `Process ${Number(process.pid)} is chosen.`;
    }
    case null:
      return null;
  }
}

function showTime(result: ResultCells, row: number, name: string, value: number): string | null {
  const bounds = loaded.peek()?.summary.range;
  const cellOf = (column: string) => {
    const at = result.columns.indexOf(column);
    return at === -1 ? null : toNumber(result.cell(row, at));
  };
  const ts = name === 'dur' ? cellOf('ts') : value;
  if (bounds === undefined || ts === null) return 'A dur leads to its time where the row has a ts.';
  const dur = name === 'ts' || name === 'dur' ? (cellOf('dur') ?? 0) : 0;
  const span = { start: ts, end: ts + Math.max(0, dur) };
  if (span.start > bounds.end || span.end < bounds.start) return 'This time is not in the trace.';
  zoomTo(rangeAround(span, bounds, MARGIN));
  goTo({ selection: { ...selection.peek(), span } });
  return 'The time bar shows this time.';
}

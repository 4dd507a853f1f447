import { signal } from '@preact/signals';
import { EngineError, GrowingResult } from '../../../shared/engine/index.ts';
import { limitRows, withNearestTable } from '../../../shared/sql-file/index.ts';
import { TooLargeError } from '../../host/api.ts';
import type { Session } from '../session.ts';
import { needSql } from '../tables.ts';
import { remember } from './history.ts';
import { whenReached } from './reached.ts';
import { changeTab, tabs, type QueryRun } from './tabs.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** What no query may exceed; the user can change both. */
export const limits = signal({ max_rows: 1_000_000, max_s: 60 });

/** The most rows that can be asked for: beyond, the page runs out of memory. */
export const MOST_ROWS = 10_000_000;
/** The most that texts and blobs of a result may take, without its numbers. */
export const MOST_BYTES = 1_000_000_000;

/** How often rows that have come are shown, in ms. */
const SHOWN_EVERY_MS = 100;
/** How often the time of a run is shown while no rows come, in ms. */
const TIMED_EVERY_MS = 1000;

/** Why the engine is ended during a run; by the tab. */
const endings = new Map<number, string>();

/** Runs the SQL of a tab, which the user has confirmed. Its rows are shown as they come. */
export async function runTab(session: Session, id: number): Promise<void> {
  const tab = tabs.peek().find((each) => each.id === id);
  if (tab === undefined || isRunning(tab.run) || tab.sql.trim() === '') return;
  const { sql } = tab;
  const { max_rows, max_s } = limits.peek();
  const limited = limitRows(sql, max_rows + 1);
  const startedAtMs = Date.now();
  const result = new GrowingResult(max_rows, MOST_BYTES);
  let run: QueryRun = {
    state: 'tables',
    sql,
    startedAtMs,
    tookMs: 0,
    result,
    rowCount: 0,
    error: null,
  };
  const show = (change: Partial<QueryRun>) => {
    run = { ...run, tookMs: Date.now() - startedAtMs, rowCount: result.rowCount, ...change };
    changeTab(id, { run });
  };
  changeTab(id, { run, origin: 'own' });
  remember(sql);
  const clock = setInterval(() => show({}), TIMED_EVERY_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unreach: (() => void) | undefined;
  try {
    await needSql(sql);
    show({ state: 'running' });
    unreach = whenReached(session, () => {
      timer = setTimeout(() => void endRun(session, id, `It ran for more than ${max_s} s.`), max_s * 1000);
    });
    let shownAtMs = 0;
    await session.queryInParts(limited.sql, (bytes) => {
      result.push(bytes);
      if (Date.now() - shownAtMs < SHOWN_EVERY_MS) return;
      shownAtMs = Date.now();
      show({});
    });
    show({ state: 'done' });
  } catch (failure) {
    const error = withNearestTable(failure);
    const ending = endings.get(id);
    if (error instanceof TooLargeError) {
      show({ state: 'failed', tooLarge: error.overview });
    } else if (ending !== undefined) {
      show({ state: 'ended', error: { message: ending, place: null } });
    } else {
      const place =
        error instanceof EngineError && error.place !== null ? limited.placeOf(error.place) : null;
      const message = messageOf(error);
      show({ state: 'failed', error: { message, place } });
      if (error instanceof EngineError && error.kind === 'crashed') void session.restart();
    }
  } finally {
    unreach?.();
    clearInterval(clock);
    clearTimeout(timer);
    endings.delete(id);
  }
}

/** Ends the run of a tab, and with it the engine, which loads the trace again. */
export async function endRun(session: Session, id: number, why = 'It was cancelled.'): Promise<void> {
  endings.set(id, why);
  await session.restart();
}

/** Whether the engine works on it. */
export function isRunning(run: QueryRun | null): boolean {
  return run?.state === 'tables' || run?.state === 'running';
}

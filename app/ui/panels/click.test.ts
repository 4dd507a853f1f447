// @vitest-environment happy-dom
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeQuery } from '../../../shared/engine/index.ts';
import { loadPanel, readPanel } from '../../../shared/panel/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import type { Door } from '../door.ts';
import { Session } from '../session.ts';
import { goTo, loaded, place, selection } from '../state.ts';
import { followRow } from './click.ts';

/** The longest wait of the trace, as a row that has all that a click can lead to. */
const SELECT = `SELECT w.ts, w.dur, w.utid, t.upid, t.tid, t.pid
FROM etw_ready_wait AS w JOIN etw_thread AS t USING (utid) ORDER BY w.dur DESC LIMIT 1`;

describeReal('a click on a row of a panel', () => {
  const folder = temporaryFolder();
  const session = new Session({ host: startHost(join(folder, 'cache')) } as unknown as Door);
  beforeAll(() => session.open(writeTrace(join(folder, 'minimal.etl'), 'minimal')));
  const nothing = { span: null, thread: null, pid: null };
  beforeEach(() => goTo({ view: 'overview', params: {}, range: null, selection: nothing }));

  /** Clicks the row of a panel with that `@click`, or with none. */
  async function click(does: string | null, select = SELECT) {
    const trace = loaded.peek();
    if (trace === null) throw new Error('no trace is open');
    const text = `-- @title A\n-- @description B\n${does === null ? '' : `-- @click ${does}\n`}${select};\n`;
    const { range } = trace.summary;
    const scope = { trace: trace.summary, range, selection: nothing };
    const query = makeQuery((sql) => session.door.host.query(trace.opened.id, sql));
    const model = await loadPanel(query, readPanel({ name: 'a.panel.sql', text }), {}, scope);
    await followRow(session, model, 0);
    const [ts = 0, dur = 0, , , tid, pid] = (model.rows[0] ?? []).map(Number);
    return { span: { start: ts, end: ts + dur }, tid, pid };
  }

  test('time: zooms to the row, and chooses its span', async () => {
    const { span } = await click('time');
    expect(selection.peek()).toEqual({ span, thread: null, pid: null });
    const range = place.peek().range ?? { start: NaN, end: NaN };
    expect(range.start).toBeLessThan(span.start);
    expect(range.end).toBeGreaterThan(span.end);
  });

  test('thread: chooses the thread, its process and the span, and leaves the range', async () => {
    const { span, tid, pid } = await click('thread');
    expect(selection.peek()).toMatchObject({ span, thread: { tid }, pid });
    expect(place.peek().range).toBeNull();
  });

  test('process: chooses the process and the span, and no thread', async () => {
    const { span, pid } = await click('process');
    expect(selection.peek()).toEqual({ span, thread: null, pid });
  });

  test('view, panel: opens it with values of the row', async () => {
    const { span, tid } = await click('view ready-latency wait_ts={ts} wait_tid={tid} group=none');
    const { view, params } = place.peek();
    expect({ view, params }).toEqual({
      view: 'ready-latency',
      params: { wait_ts: span.start, wait_tid: tid, group: 'none' },
    });
    await click('panel longest-ready-wait priority_min={tid}');
    expect([place.peek().view, place.peek().params]).toEqual([
      'panel-longest-ready-wait',
      { priority_min: tid },
    ]);
  });

  test.each([
    ['utid', 'SELECT upid, utid, ts FROM', { hasThread: true, hasPid: true, hasSpan: true }],
    ['upid', 'SELECT upid, ts FROM', { hasThread: false, hasPid: true, hasSpan: true }],
    ['ts', 'SELECT ts FROM', { hasThread: false, hasPid: false, hasSpan: true }],
    ['nothing', 'SELECT pid FROM', { hasThread: false, hasPid: false, hasSpan: false }],
  ])('that says none does what its columns offer: %s', async (_, select, expected) => {
    await click(null, `${select} (${SELECT})`);
    const { span, thread, pid } = selection.peek();
    expect({ hasThread: thread !== null, hasPid: pid !== null, hasSpan: span !== null }).toEqual(expected);
  });
});

// @vitest-environment happy-dom
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readPanel } from '../../../shared/panel/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../host/testing/real.ts';
import type { Door } from '../door.ts';
import { Session } from '../session.ts';
import { goTo } from '../state.ts';
import { keepLoaded, type PanelState } from './keep-loaded.ts';

const panelOf = (select: string) =>
  readPanel({
    name: 'asked.panel.sql',
    text: `-- @title Asked\n-- @description What was asked.\n${select};\n`,
  });
const ENDLESS = panelOf(
  'WITH RECURSIVE n(i) AS (SELECT :range_start UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS total FROM n',
);

describeReal('a panel that is kept loaded', () => {
  test('is ended at its limit of time, says so, and is not asked again; the trace comes back for others; nor may its rows be too large', async () => {
    const folder = temporaryFolder();
    const trace = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const session = new Session({ host: startHost(join(folder, 'cache')) } as unknown as Door);
    await session.open(trace);
    const asked = vi.spyOn(session, 'restart');
    let state: PanelState = { model: null, fault: null, busy: true };
    const keep = (panel: typeof ENDLESS, limit_s?: number) =>
      keepLoaded(session, panel, {}, (change) => (state = { ...state, ...change }), limit_s);

    const end = keep(ENDLESS, 0.2);
    await vi.waitFor(() => expect(state.busy).toBe(false), { timeout: 30_000 });
    expect(state).toEqual({
      model: null,
      fault: {
        line: null,
        column: null,
        message: 'It ran for more than 0.2 s and was ended. Narrow the range, or what it asks for.',
      },
      busy: false,
    });
    goTo({ range: { start: 1, end: 2 } });
    end();

    const large = keep(panelOf("SELECT printf('%.*c', 40000000, 'x') AS text"));
    await vi.waitFor(() => expect(state.fault?.message).toMatch(/^Its rows take more than 64.0 MB of text/), {
      timeout: 30_000,
    });
    large();

    const next = keep(panelOf('SELECT start_ts FROM trace_bounds'));
    await vi.waitFor(() => expect(state.model?.rows).toEqual([[1_000_000_000]]), { timeout: 30_000 });
    expect(asked).toHaveBeenCalledTimes(1);
    next();
  });
});

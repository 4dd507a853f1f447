import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../shared/findings/index.ts';
import { summariseTrace } from '../../app/host/trace-summary.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { dataOf } from '../../shared/tables/index.ts';

describeReal('the scenario of the user lock', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const rule = shippedRules.filter(({ name }) => name === 'user-lock-contention.sql');

  const find = async () => {
    const { id } = await host.open(writeTrace(join(folder, 'held.etl'), 'user-lock'), {});
    const query = makeQuery((sql) => host.query(id, sql));
    const range = (await summariseTrace(dataOf(query).tables))?.range ?? { start: 0, end: 0 };
    return { query, ...(await runRules(query, rule, range)) };
  };

  test('is found with its holder, its waits and the focus', async () => {
    const { query, findings } = await find();
    expect(findings.map(({ seconds_lost, sentence, proof }) => [seconds_lost, sentence, proof])).toEqual([
      [
        0.38,
        'explorer.exe (tid 1004) held the user lock while 2 threads waited 730 ms for it, 380 ms of it in the process in focus; the longest wait, of editor.exe (tid 2004), took 380 ms, in which the holder ran for 180 ms.',
        {
          view: 'user-locks',
          params: {},
          range: { start: 1_089_599_920, end: 1_530_401_080 },
          selection: {
            span: { start: 1_120_000_000, end: 1_500_001_000 },
            thread: { tid: 1004, ts: 1_120_000_000 },
            pid: 1000,
          },
        },
      ],
    ]);
    const waits = await query(
      'SELECT w.ts, w.dur, t.tid, w.is_shared FROM etw_user_lock_wait w JOIN etw_thread t USING (utid) ORDER BY w.ts',
    );
    expect([...waits.rows()].map((row) => Object.values(row))).toEqual([
      [1_100_000_000, 0, 1004, 0],
      [1_120_000_000, 380_001_000, 2004, 0],
      [1_150_000_000, 351_001_000, 3004, 0],
    ]);
    const holds = await query(
      'SELECT h.ts, h.dur, t.tid FROM etw_user_lock_hold h JOIN etw_thread t USING (utid) ORDER BY h.ts',
    );
    expect([...holds.rows()].map((row) => Object.values(row))).toEqual([
      [1_100_000_000, 400_000_000, 1004],
      [1_500_001_000, 998_000, 2004],
      [1_501_001_000, 998_000, 3004],
    ]);
  });
});

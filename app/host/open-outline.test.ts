import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import type { HostOptions } from './create-host.ts';
import { describeReal, startEngine, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

describeReal('a file that is converted now opens by its tables', () => {
  const folder = temporaryFolder();
  const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
  const hostWith = (name: string, start: HostOptions['startEngine']) =>
    startHost(join(folder, name), { startEngine: start });

  test('before its engine has started', async () => {
    let start = (): void => undefined;
    const started = new Promise<void>((resolve) => (start = resolve));
    const host = hostWith('slow', () => started.then(startEngine));
    const { id, summary, issues } = await host.open(path, { columns: true });
    expect({ summary, issues }).toEqual({
      summary: { range: { start: 1_000_000_000, end: 1_100_000_000 }, cpuCount: 2 },
      issues: [],
    });
    const answer = host.queryOutline(id, 'SELECT start_ts, end_ts, cpu_count FROM etw_trace');
    start();
    expect([...decodeQueryResult(await answer).rows()]).toEqual([
      { start_ts: 1_000_000_000, end_ts: 1_100_000_000, cpu_count: 2 },
    ]);
  });

  describe('and SQL is planned for it', () => {
    const host = hostWith('planned', startEngine);
    const large = writeTrace(join(folder, 'switches.etl'), 'switches', '--count', '40000', '--cpus', '4');
    const opened = host.open(large, { columns: true });
    const planOf = async (sql: string, id?: string) => {
      const plan = await host.queryOutline(id ?? (await opened).id, `EXPLAIN QUERY PLAN ${sql}`);
      return [...decodeQueryResult(plan).rows()].map(({ detail }) =>
        String(detail).replace(/ VIRTUAL TABLE .*/, ''),
      );
    };

    test.each(['etw_run', 'etw_generic_event'])('%s is counted without a look at its rows', async (table) => {
      const plan = [`SCAN ${table} USING COVERING INDEX ${table}_by_0`];
      expect(await planOf(`SELECT count(*) FROM ${table}`)).toEqual(plan);
    });

    test.each([
      'SELECT process_name, dur FROM etw_ready_wait AS w JOIN etw_thread AS t USING (utid) ORDER BY dur DESC LIMIT 50',
      'SELECT tid, dur FROM etw_ready_wait AS w JOIN thread AS t USING (utid) ORDER BY dur DESC LIMIT 50',
      'SELECT process_name, sum(dur) FROM etw_run AS w JOIN etw_thread AS t USING (utid) GROUP BY process_name',
      'SELECT name, sum(dur) FROM etw_run AS w JOIN etw_thread AS t USING (utid) GROUP BY utid',
      'SELECT name, count(*) FROM etw_ready_wait AS w JOIN etw_thread AS t ON t.utid = waker_utid GROUP BY waker_utid',
      'SELECT p.name, count(*) FROM etw_run AS w JOIN etw_thread AS t USING (utid) JOIN etw_process AS p USING (upid) GROUP BY upid',
    ])('the thread of each row is looked up, not the rows of each thread: %s', async (sql) => {
      const [first] = await planOf(sql);
      expect(first).toBe('SCAN w');
    });

    test('both threads of each context switch are looked up', async () => {
      const [first] = await planOf(`SELECT o.name, n.name, count(*) FROM etw_context_switch AS s
        JOIN etw_thread AS n ON n.utid = s.new_utid JOIN etw_thread AS o ON o.utid = s.old_utid GROUP BY old_utid, new_utid`);
      expect(first).toBe('SCAN s');
    });

    test.each(['utid', 'waker_utid'])('the rows of one thread are looked up, by %s', async (key) => {
      const found = `SEARCH w USING INDEX etw_ready_wait_by_${key} (${key}=?)`;
      expect(await planOf(`SELECT dur FROM etw_ready_wait AS w WHERE ${key} = 7`)).toEqual([found]);
      const joined = `SELECT dur FROM etw_thread AS t JOIN etw_ready_wait AS w ON t.utid = w.${key} WHERE tid = 1004`;
      expect(await planOf(joined)).toEqual(['SEARCH t USING INDEX etw_thread_by_tid (tid=?)', found]);
    });

    test('samples by process and module are read once', async () => {
      const stacks = writeTrace(join(folder, 'stacks.etl'), 'stacks', '--count', '20000');
      const { id } = await host.open(stacks, { columns: true });
      const plan = await planOf(
        `SELECT t.process_name, f.module, count(*) FROM etw_sample AS s JOIN etw_thread AS t USING (utid)
        JOIN etw_stack_frame AS f USING (callsite) GROUP BY 1, 2`,
        id,
      );
      expect(plan.slice(0, 2)).toEqual(['SCAN s', 'SEARCH t USING INDEX etw_thread_by_utid (utid=?)']);
    });

    test('who ran during the longest wait is found by one look at all runs', async () => {
      const plan = await planOf(`SELECT t.name, sum(min(r.te, w.te) - max(r.ts, w.ts)) AS ns
        FROM (SELECT ts, te FROM etw_ready_wait ORDER BY dur DESC LIMIT 1) AS w
        JOIN etw_run AS r ON r.ts < w.te AND r.te > w.ts JOIN etw_thread AS t ON t.utid = r.utid
        GROUP BY r.utid ORDER BY ns DESC`);
      expect(plan.slice(-5)).toEqual([
        'SCAN w',
        'SCAN r',
        'SEARCH t USING INDEX etw_thread_by_utid (utid=?)',
        'USE TEMP B-TREE FOR GROUP BY',
        'USE TEMP B-TREE FOR ORDER BY',
      ]);
    });
  });

  test('and has another engine asked where the first does not start', async () => {
    let starts = 0;
    const host = hostWith('failing', () =>
      ++starts === 1 ? Promise.reject(new Error('no memory is left')) : startEngine(),
    );
    const { id } = await host.open(path, { columns: true });
    const ask = () => host.queryOutline(id, 'SELECT cpu_count FROM etw_trace');
    await expect(ask()).rejects.toThrow('no memory is left');
    expect([...decodeQueryResult(await ask()).rows()]).toEqual([{ cpu_count: 2 }]);
    expect(starts).toBe(2);
  });

  test('and ends an engine that cannot load it', async () => {
    const ended: string[] = [];
    const host = hostWith('unloadable', async () => {
      const engine = await startEngine();
      const end = async () => {
        ended.push('ended');
        await engine.end();
      };
      return ended.length > 0 ? engine : { ...engine, load: () => Promise.reject(new Error('no room')), end };
    });
    const { id } = await host.open(path, { columns: true });
    const ask = () => host.queryOutline(id, 'SELECT cpu_count FROM etw_trace');
    await expect(ask()).rejects.toThrow('no room');
    expect(ended).toEqual(['ended']);
    expect([...decodeQueryResult(await ask()).rows()]).toEqual([{ cpu_count: 2 }]);
  });
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import type { TracePart } from './api.ts';
import { TooLargeError } from './api.ts';
import { WHOLE } from './part.ts';
import { describeReal, root, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

const START_NS = 1_000_000_000;
const S = 1_000_000_000;

/** Threads and processes by their own ids: the engine's differ from load to load. */
const THREAD = (utid: string): string =>
  `(SELECT t.tid || ' ' || t.pid || ' ' || ifnull(t.process_name, '') FROM etw_thread t WHERE t.utid = ${utid})`;

/** The threads that the recording describes: others are only named by events. */
const DESCRIBED = `SELECT t.utid FROM slice AS s JOIN thread_track AS t ON t.id = s.track_id WHERE s.name = 'etw.thread'`;

/** Rows of a range, and what they are in both conversions; `$from` and `$to` are on the trace clock. */
const TABLES: Readonly<Record<string, string>> = {
  runs: `SELECT ts, te, cpu, ${THREAD('utid')} AS thread, priority, rank, priority_decrement, ready_flags,
      ready_increment, previous_c_state, ended, switch_out_state, switch_out_wait_reason
    FROM etw_run WHERE te > $from AND te < $to ORDER BY ts, cpu`,
  waits: `SELECT ts, te, cause, ${THREAD('utid')} AS thread, waker_in_dpc, priority, rank, rank_source, cpu, flags
    FROM etw_ready_wait WHERE te >= $from AND te < $to ORDER BY ts, utid`,
  wait_history: `SELECT ts, last_switch_out_ts, blocked_ns, last_cpu, last_priority, last_rank, last_state, ready_increment
    FROM etw_ready_wait_history WHERE te >= $from AND te < $to ORDER BY ts`,
  freezes: `SELECT ts, iif(open_end, $to, ts + dur) AS te, pid, open_start
    FROM etw_process_freeze WHERE ts + dur > $from AND ts < $to ORDER BY ts`,
  focus: `SELECT ts, session, pid, open_start FROM etw_focus WHERE ts + dur > $from AND ts < $to ORDER BY ts`,
  generic: `SELECT ts, cpu, provider, name, event_id, fields, ${THREAD('utid')} AS thread
    FROM etw_generic_event WHERE ts >= $from AND ts < $to ORDER BY ts`,
  interrupts: `SELECT ts, dur, cpu, kind, routine, module FROM etw_interrupt WHERE ts >= $from AND ts + dur < $to
    ORDER BY ts, cpu`,
  disk_io: `SELECT ts, dur, kind, cpu, ${THREAD('utid')} AS thread, path, byte_offset, size_bytes FROM etw_disk_io
    WHERE ts >= $from AND ts + dur < $to ORDER BY ts, byte_offset`,
  hard_faults: `SELECT ts, dur, ${THREAD('utid')} AS thread, path FROM etw_hard_fault
    WHERE ts >= $from AND ts + dur < $to ORDER BY ts`,
  samples: `SELECT ts, cpu, ${THREAD('utid')} AS thread, priority, rank, is_kernel, weight_ns,
      (SELECT f.rel_pc FROM stack_profile_callsite c JOIN stack_profile_frame f ON f.id = c.frame_id WHERE c.id = callsite)
        AS rel_pc
    FROM etw_sample WHERE ts >= $from AND ts < $to ORDER BY ts`,
  living: `SELECT pid, name, parent_pid, create_ts, exit_ts, command_line, session FROM etw_process
    WHERE ifnull(create_ts, 0) < $to AND ifnull(exit_ts, $to) > $from
      AND upid NOT IN (SELECT upid FROM etw_thread WHERE upid IS NOT NULL AND utid NOT IN (${DESCRIBED}))
    ORDER BY pid, create_ts`,
  threads: `SELECT tid, pid, name, base_priority, create_ts, exit_ts FROM etw_thread
    WHERE ifnull(create_ts, 0) < $to AND ifnull(exit_ts, $to) > $from
      AND utid IN (${DESCRIBED})
    ORDER BY tid, create_ts`,
};

/** The kinds of events without which a table's rows are others; those of processes and threads are always there. */
const KINDS: Readonly<Record<keyof typeof TABLES, readonly string[]>> = {
  runs: ['scheduling'],
  waits: ['scheduling'],
  wait_history: ['scheduling'],
  freezes: ['generic'],
  focus: ['generic'],
  generic: ['generic', 'scheduling', 'kernel', 'io', 'memory', 'network', 'registry'],
  interrupts: ['interrupts'],
  disk_io: ['io'],
  hard_faults: ['memory', 'io'],
  samples: ['samples', 'images'],
  living: [],
  threads: [],
};

describeReal('a part of a trace', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const etl = join(root, '..', 'shared', 'etl');

  async function rows(path: string, part: TracePart, sql: string): Promise<unknown[][]> {
    const { id } = await host.open(path, { part });
    const result = decodeQueryResult(await host.query(id, sql));
    return [...result.rows()].map((row) => Object.values(row));
  }

  function bound(sql: string, from_ns: number, to_ns: number): string {
    return sql.replaceAll('$from', String(START_NS + from_ns)).replaceAll('$to', String(START_NS + to_ns));
  }

  async function expectSame(path: string, from_ns: number, to_ns: number): Promise<void> {
    const part = { ...WHOLE, from: `${from_ns}ns`, to: `${to_ns}ns` };
    for (const [name, sql] of Object.entries(TABLES)) {
      const ranged = bound(sql, from_ns, to_ns);
      expect(await rows(path, part, ranged), name).toEqual(await rows(path, WHOLE, ranged));
    }
  }

  test('has the rows of the whole that reach into it: waits, ranks and runs that began before included', async () => {
    const path = writeTrace(join(folder, 'lock-screen.etl'), 'lock-screen');
    await expectSame(path, 35 * S, 52 * S);
  }, 120_000);

  async function tables(path: string, part: TracePart, from_ns: number, to_ns: number) {
    const range = { ...part, from: `${from_ns}ns`, to: `${to_ns}ns` };
    const { id } = await host.open(path, { part: range });
    const found: [string, unknown[][]][] = [];
    for (const [name, sql] of Object.entries(TABLES)) {
      const result = decodeQueryResult(await host.query(id, bound(sql, from_ns, to_ns)));
      found.push([name, [...result.rows()].map((row) => Object.values(row))]);
    }
    await host.close(id);
    return found;
  }

  /**
   * Expects that a part without a kind of events, and one of that kind alone, has the rows that do not depend on what is
   * left out. Gives the tables that have rows.
   */
  async function expectSameWithoutEach(
    path: string,
    kinds: readonly string[],
    from_ns: number,
    to_ns: number,
  ): Promise<string[]> {
    const whole = await tables(path, WHOLE, from_ns, to_ns);
    for (const kind of kinds) {
      const unchanged = (isLeftOut: (kind: string) => boolean) => {
        const own = whole.filter(([name]) => !(KINDS[name] ?? []).some(isLeftOut));
        return Object.fromEntries(own);
      };
      const without = await tables(path, { ...WHOLE, skip: [kind] }, from_ns, to_ns);
      expect(Object.fromEntries(without), `without ${kind}`).toMatchObject(unchanged((own) => own === kind));
      const alone = await tables(path, { ...WHOLE, only: [kind] }, from_ns, to_ns);
      expect(Object.fromEntries(alone), `${kind} alone`).toMatchObject(unchanged((own) => own !== kind));
    }
    return whole.filter(([, rows]) => rows.length > 0).map(([name]) => name);
  }

  test.each([
    ['hot-loop', ['scheduling', 'samples', 'stacks', 'images'], 7 * S, 7.1 * S, ['samples']],
    [
      'many-processors',
      ['scheduling', 'interrupts', 'kernel', 'registry'],
      0,
      0.1 * S,
      ['runs', 'waits', 'wait_history', 'generic', 'interrupts'],
    ],
    ['attention', ['generic'], 0.045 * S, 0.09 * S, ['freezes', 'focus', 'generic']],
  ])(
    'has the rows of all other kinds where one is left out, and those of one kind alone: %s',
    async (scenario, kinds, from_ns, to_ns, present) => {
      const path = writeTrace(join(folder, `${scenario}.etl`), scenario);
      const tables = await expectSameWithoutEach(path, kinds, from_ns, to_ns);
      expect(tables).toEqual(expect.arrayContaining(present));
    },
    600_000,
  );

  test('has the registry where it is chosen, and not where it is left out', async () => {
    const path = writeTrace(join(folder, 'many-processors.etl'), 'many-processors');
    const sql = `SELECT (ts - ${START_NS}) / 1e6, cpu, name, fields ->> '$.KeyName' FROM etw_generic_event
      WHERE provider = 'Registry'`;
    expect(await rows(path, { ...WHOLE, only: ['registry'] }, sql)).toEqual([
      [33, 70, 'Open', 'Software\\Policies'],
    ]);
    expect(await rows(path, { ...WHOLE, skip: ['registry'] }, sql)).toEqual([]);
  });

  test.skipIf(!existsSync(etl))(
    'has them of a real trace',
    async () => {
      const path = join(etl, 'net.4.5.2.x64.etl.zip');
      const tables = await expectSameWithoutEach(path, ['io', 'memory', 'network'], 5 * S, 5.2 * S);
      expect(tables).toContain('generic');
    },
    600_000,
  );

  test('knows who was frozen and had the focus before it', async () => {
    const path = writeTrace(join(folder, 'attention.etl'), 'attention');
    await expectSame(path, 0.045 * S, 0.09 * S);
  });

  test.skipIf(!existsSync(etl))(
    'has the rows of the whole of a real trace',
    async () => {
      const path = join(etl, 'net.4.5.2.x64.etl.zip');
      await expectSame(path, 5 * S, 8 * S);
      const counts = `SELECT (SELECT count(*) > 1000 FROM etw_sample), (SELECT count(*) > 1000 FROM etw_generic_event)`;
      expect(await rows(path, { ...WHOLE, from: '5s', to: '8s' }, counts)).toEqual([[1, 1]]);
    },
    120_000,
  );

  test('says what was selected, and counts the rest as not selected', async () => {
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const part = { from: '1ms', to: '2ms', only: ['scheduling'], skip: [] };
    const sql = `SELECT start_ts, end_ts, selected_from_ts, selected_to_ts, selected_kinds,
        events_read = events_converted + events_generic + events_skipped,
        (SELECT sum(count) > 0 FROM etw_event_count WHERE reason = 'not selected')
      FROM etw_trace`;
    expect(await rows(path, part, sql)).toEqual([
      [START_NS, START_NS + 2_000_000, START_NS + 1_000_000, START_NS + 2_000_000, 'only scheduling', 1, 1],
    ]);
  });

  test('is refused in words where it makes no sense', async () => {
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const refused = { name: 'OpenError', kind: 'selection' };
    await expect(host.open(path, { part: { ...WHOLE, from: '400s' } })).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/minimal\.etl: --from is after the end of the trace/) as string,
    });
    await expect(host.open(path, { part: { ...WHOLE, only: ['lunch'] } })).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(
        /no provider in the trace and no kind of event is called "lunch"/,
      ) as string,
    });
  });

  test('is offered where the engine cannot hold the whole', async () => {
    const path = writeTrace(join(folder, 'minimal.etl'), 'minimal');
    const small = startHost(join(folder, 'small-cache'), { engineBytes: 2000 });
    const refusal: unknown = await small.open(path, {}).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TooLargeError);
    const { overview } = refusal as TooLargeError;
    const switches = overview.timeline.context_switches.reduce((sum, each) => sum + each, 0);
    expect([overview.limit_bytes, switches]).toEqual([2000, 12]);
    const scheduling = overview.choices.find(({ kind }) => kind === 'scheduling');
    expect(scheduling?.engine_bytes).toBe((scheduling?.count ?? 0) * 260);
    expect((refusal as TooLargeError).message).toMatch(/takes about .* in the engine, which holds about/);
    await small.open(path, { part: { ...WHOLE, skip: ['scheduling'] } });
  });

  test.each([
    [
      'stacks --count 2000',
      'SELECT count(DISTINCT s.ts) AS count FROM etw_sample s JOIN etw_stack_frame USING (callsite)',
      2000,
    ],
    ['io --count 2000', "SELECT count(*) AS count FROM etw_generic_event WHERE kind GLOB 'FileIo/Re*'", 500],
    ['symbols', 'SELECT count(*) AS count FROM etw_image', 4],
  ])('is not needed for what columns hold: %s', async (scenario, sql, count) => {
    const path = writeTrace(join(folder, `${scenario}.etl`), ...scenario.split(' '));
    const small = startHost(join(folder, 'small-cache'), { engineBytes: 1000 });
    await expect(small.open(path, {})).rejects.toThrow(TooLargeError);
    const { id } = await small.open(path, { columns: true });
    const answer = decodeQueryResult(await small.queryOutline(id, sql));
    expect([...answer.rows()]).toEqual([{ count }]);
  });
});

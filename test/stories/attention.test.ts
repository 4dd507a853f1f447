import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeQueryResult } from '../../shared/engine/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const MS = 1_000_000;

/** Rows of a query of a synthetic trace, as it comes out of the converter and the engine. */
type Ask = (sql: string) => Promise<unknown[][]>;

/** `ts` and `dur` are in ms after the start, which the trace clock has at 1 s. */
const SPAN = `(ts - 1000000000) / ${MS}, dur / ${MS}`;

describeReal('events of providers', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function asking(...scenario: string[]): Promise<Ask> {
    const { id } = await host.open(writeTrace(join(folder, `${scenario.join('')}.etl`), ...scenario), {});
    return async (sql) => {
      const result = decodeQueryResult(await host.query(id, sql));
      return [...result.rows()].map((row) => Object.values(row));
    };
  }

  let attention: Ask;
  let undescribed: Ask;
  let lockScreen: Ask;
  beforeAll(async () => {
    attention = await asking('attention');
    undescribed = await asking('attention', '--undescribed');
    lockScreen = await asking('lock-screen');
  });

  test('give the spans in which processes were frozen, also where the recording has one end only', async () => {
    const sql = `SELECT ${SPAN}, f.pid, p.name, t.tid, open_start, open_end
      FROM etw_process_freeze f JOIN etw_process p USING (upid) LEFT JOIN etw_thread t ON t.utid = frozen_by_utid`;
    expect(await attention(sql)).toEqual([
      [0, 10, 3000, 'browser.exe', null, 1, 0],
      [40, 20, 2000, 'editor.exe', 1004, 0, 0],
      [80, 20, 3000, 'browser.exe', 1004, 0, 1],
    ]);
  });

  test('give the spans of focus, with none where no process had it', async () => {
    const sql = `SELECT ${SPAN}, f.session, f.pid, p.name, open_start, open_end
      FROM etw_focus f JOIN etw_process p USING (upid)`;
    expect(await attention(sql)).toEqual([
      [0, 30, 1, 2000, 'editor.exe', 1, 0],
      [30, 20, 1, 3000, 'browser.exe', 0, 0],
      [70, 30, 1, 4000, 'game.exe', 0, 1],
    ]);
  });

  test('tell what the user did with keyboard and mouse', async () => {
    expect(
      await attention(`SELECT (ts - 1000000000) / ${MS}, kind, code, key_name, x, y FROM etw_input`),
    ).toEqual([
      [31, 'mouse_down', 2, null, 30, 40],
      [32, 'mouse_up', 2, null, 31, 41],
      [33, 'mouse_move', null, null, -5, 6],
      [34, 'mouse_wheel', -120, null, 7, 8],
      [35, 'key_down', 65, 'A', null, null],
    ]);
  });

  test.each(['etw_process_freeze', 'etw_focus', 'etw_input'])(
    'tell the same in %s where the trace does not describe them',
    async (table) => {
      const sql = `SELECT * FROM ${table}`;
      const described = await attention(sql);
      expect(described).not.toEqual([]);
      expect(await undescribed(sql)).toEqual(described);
    },
  );

  test('keep time, CPU, thread, header and fields', async () => {
    const sql = `SELECT e.ts, cpu, tid, provider, event_id, version, opcode, task, level, keywords, e.name, fields
      FROM etw_generic_event e JOIN etw_thread USING (utid) WHERE event_id = 11 LIMIT 1`;
    const provider = 'Microsoft-Windows-Kernel-Process';
    expect(await attention(sql)).toEqual([
      [
        1_040_000_000,
        1,
        1004,
        provider,
        11,
        0,
        1,
        11,
        4,
        -9223372036854775296n,
        'ProcessFreeze/Start',
        '{"FrozenProcessID":2000}',
      ],
    ]);
  });

  test('can be asked for by the fields that a TraceLogging event describes itself', async () => {
    const sql = `SELECT provider, name, fields ->> '$.VirtualKey', fields ->> '$.Name', count(*)
      FROM etw_generic_event GROUP BY 1, 2, 3, 4`;
    expect(await lockScreen(sql)).toContainEqual(['Outrank.Synth.Input', 'KeyDown', 17, 'Control', 17]);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describeReal, OUTRANK, places, temporaryFolder, writeTrace } from '../host/testing/real.ts';

const folder = temporaryFolder();
const env = { ...process.env, OUTRANK_CACHE: join(folder, 'cache'), OUTRANK_CONVERTER: places.converter };

function outrank(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...OUTRANK, ...args], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

const ask = (sql: string, tables = 'tables') => outrank('query', tables, '--format', 'csv', '--sql', sql);

describeReal('outrank query of exported tables', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'verdicts.etl'), 'verdicts');
    outrank('export', 'verdicts.etl', '--format', 'arrow', '--redact', 'none', '-o', 'tables');
  });

  test('gives the rows that the trace itself gives', () => {
    const sql = `SELECT w.*, process_name, tid FROM etw_ready_wait AS w JOIN etw_thread USING (utid)
      WHERE rank_before IS rank_after AND dur > 1000 ORDER BY w.ts`;
    const { code, stdout } = ask(sql);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(5);
    const ofTrace = outrank('query', 'verdicts.etl', '--format', 'csv', '--sql', sql);
    expect(stdout).toBe(ofTrace.stdout);
  });

  test('needs no conversion', () => {
    expect(ask('SELECT count(*) > 0 AS has_runs FROM etw_run')).toEqual({
      code: 0,
      stdout: 'has_runs\r\n1\r\n',
      stderr: '',
    });
  });

  test('reads the tables of a cache, in which generic events are parted', () => {
    const output = ['--output', join(folder, 'outline.pftrace'), '--columns', join(folder, 'of-cache')];
    spawnSync(places.converter, [join(folder, 'verdicts.etl'), ...output]);
    const sql = 'SELECT provider, name, fields, kind FROM etw_generic_event ORDER BY ts';
    const { code, stdout } = ask(sql, 'of-cache');
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(5);
    expect(stdout).toBe(ask(sql, 'verdicts.etl').stdout);
  });

  test('says in one line what it cannot do', () => {
    const refused = (sql: string, tables?: string) => {
      const { code, stderr } = ask(sql, tables);
      return { code, stderr };
    };
    expect(refused('SELECT * FROM etw_generic_event')).toEqual({
      code: 1,
      stderr: 'outrank: SQL line 1, column 1: no such table: etw_generic_event\n',
    });
    expect(refused("ATTACH 'x.db' AS x")).toEqual({
      code: 1,
      stderr: 'outrank: SQL line 1, column 1: ATTACH is not possible: SQL reaches the loaded trace alone\n',
    });
    const part = outrank('query', 'tables', '--sql', 'SELECT 1', '--from', '1s');
    expect({ code: part.code, stderr: part.stderr }).toEqual({
      code: 1,
      stderr:
        'outrank: tables: exported tables are asked whole: leave --from, --to, --only, --skip, --with and --symbols out\n',
    });
    mkdirSync(join(folder, 'none'));
    expect(refused('SELECT 1', 'none')).toEqual({
      code: 1,
      stderr: 'outrank: none: no table (*.arrow): outrank export --format arrow writes them\n',
    });
    const whole = readFileSync(join(folder, 'tables', 'etw_run.arrow'));
    writeFileSync(join(folder, 'none', 'etw_run.arrow'), whole.subarray(0, whole.length / 2));
    const cut = refused('SELECT 1', 'none');
    expect(cut.code).toBe(2);
    expect(cut.stderr).toMatch(/^outrank: none\/etw_run\.arrow: .* expected [^\n]*\n$/);
  });
});

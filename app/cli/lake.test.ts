import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeReal, places, root, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { stubAccess } from '../server/store/stub-access.ts';
import { hasS3Server, startS3Server } from '../server/store/testing.ts';
import type { S3Server } from '../server/store/testing.ts';
import { waitClass } from '../fleet/summary/wait-class.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const outrank = outrankIn(folder);
const TRACES = ['one.etl', 'two.etl'];

/** The rows of SQL on a lake. */
async function ask(lake: string, sql: string, by = outrank): Promise<readonly Record<string, unknown>[]> {
  const { stdout, stderr } = await by('lake', 'query', lake, '--format', 'json', '--sql', sql);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

/** What tells two lakes apart, table by table. */
const SUMS = `SELECT (SELECT count(*) FROM trace) AS traces, (SELECT sum(hash(ready_wait)) FROM ready_wait) AS waits,
  (SELECT sum(hash(run)) FROM run) AS runs, (SELECT sum(hash(chain)) FROM chain) AS chains,
  (SELECT sum(hash(release)) FROM release) AS releases, (SELECT sum(hash(process)) FROM process) AS processes,
  (SELECT sum(hash(finding)) FROM finding) AS findings, (SELECT sum(hash(tag)) FROM tag) AS tags`;

interface Row {
  readonly what: 'wait' | 'run' | 'open';
  readonly process: string;
  readonly dur: number;
}

describeReal('outrank lake', () => {
  beforeAll(async () => {
    writeTrace(join(folder, 'one.etl'), 'random', '--seed', '7', '--events', '2000');
    writeTrace(join(folder, 'two.etl'), 'random', '--seed', '8', '--events', '2000');
    const { code, stderr } = await outrank('lake', 'add', 'lake', ...TRACES, '--tag', 'build=7', '--full');
    expect([code, stderr]).toEqual([0, '']);
  });

  test('a trace that wants more memory than the engine may take is left out, and the next one is added', async () => {
    writeTrace(join(folder, 'exits.etl'), 'exit-storm');
    // A Perfetto trace has no columns: an engine loads all of it.
    await outrank('convert', 'exits.etl', '-o', 'exits.pftrace');
    const added = await outrank(
      'lake',
      'add',
      'small',
      'exits.pftrace',
      'one.etl',
      '--engine-memory',
      '64MiB',
    );
    expect({ ...added, stdout: added.stdout.replace(/, [\d.]+ kB: .*/, '') }).toEqual({
      code: 2,
      stdout: 'one.etl: added\n',
      stderr:
        'outrank: left out: exits.pftrace: takes more memory than --engine-memory 64MiB leaves for it\n',
    });
  });

  test.skipIf(process.platform === 'win32')(
    'converts a trace once for summaries and full tables',
    async () => {
      const [converter, runs] = [join(folder, 'counting'), join(folder, 'runs')];
      const script = `#!/bin/sh\necho run >> '${runs}'\nexec '${places.converter}' "$@"\n`;
      writeFileSync(converter, script, { mode: 0o755 });
      const counting = outrankIn(folder, 'cache', converter);
      const full = `SELECT (SELECT sum(hash(etw_run)) FROM etw_run) AS runs, (SELECT sum(hash(etw_thread)) FROM etw_thread) AS threads,
      (SELECT sum(hash(etw_ready_wait)) FROM etw_ready_wait) AS waits`;
      await counting('lake', 'add', 'once', ...TRACES, 'none.etl', '--full');
      expect(readFileSync(runs, 'utf8')).toBe('run\n'.repeat(TRACES.length));
      expect(await ask('once', full)).toEqual(await ask('lake', full));
      await counting('lake', 'add', 'once', 'one.etl', '--tag', 'build=8');
      expect(await ask('once', full)).toEqual(await ask('lake', full));
    },
  );

  test('several processes add what one adds, and each trace is reported in its turn', async () => {
    writeFileSync(join(folder, 'list.txt'), 'none.etl\r\n\ntwo.etl\r\n');
    const [tag, full] = [['--tag', 'build=7'], '--full'];
    const added = await outrank(
      'lake',
      'add',
      'by-two',
      'one.etl',
      '--from',
      'list.txt',
      '--jobs',
      '2',
      ...tag,
      full,
    );
    expect({ ...added, stdout: added.stdout.replace(/, [\d.]+ kB: .*/g, '') }).toEqual({
      code: 2,
      stdout: 'one.etl: added\ntwo.etl: added\n',
      stderr: `outrank: left out: ${join(folder, 'none.etl')}: no such file\n`,
    });
    expect(await ask('by-two', SUMS)).toEqual(await ask('lake', SUMS));
  });

  test.skipIf(process.platform === 'win32')(
    'of several processes one that is killed leaves its trace out; one that finds the lake unfit ends all',
    async () => {
      const converter = join(folder, 'deadly');
      const script = `#!/bin/sh\ncase "$*" in *two.etl*) kill -9 $PPID;; esac\nexec '${places.converter}' "$@"\n`;
      writeFileSync(converter, script, { mode: 0o755 });
      const killing = outrankIn(folder, 'cache', converter);
      const add = async (lake: string) => {
        const { stdout, ...told } = await killing('lake', 'add', lake, 'two.etl', 'one.etl', '--jobs', '2');
        return { ...told, stdout: stdout.replace(/, [\d.]+ kB: .*/g, '') };
      };
      expect(await add('after-kill')).toEqual({
        code: 2,
        stdout: 'one.etl: added\n',
        stderr: 'outrank: left out: two.etl: the process that adds it was ended by SIGKILL\n',
      });
      expect(await add('list.txt')).toMatchObject({ code: 1, stdout: '' });
    },
  );

  test('sums up what outrank query gives of its traces', async () => {
    const sql = `SELECT iif(ended, 'wait', 'open') AS what, process_name AS process, dur
      FROM etw_ready_wait JOIN etw_thread USING (utid)
      UNION ALL SELECT 'run', process_name, dur FROM etw_run JOIN etw_thread USING (utid) WHERE utid != 0`;
    const rows: Row[] = [];
    for (const trace of TRACES)
      rows.push(
        ...(JSON.parse((await outrank('query', trace, '--format', 'json', '--sql', sql)).stdout) as Row[]),
      );
    const sum = (what: Row['what']) => {
      const durs = rows.flatMap((row) => (row.what === what ? [row.dur] : []));
      return { count: durs.length, ns: durs.reduce((ns, dur) => ns + dur, 0) };
    };
    const [found] = await ask(
      'lake',
      `SELECT (SELECT sum(waits) FROM ready_wait WHERE ended) AS waits, (SELECT sum(ready_ns) FROM ready_wait WHERE ended) AS ready_ns,
        (SELECT coalesce(sum(waits), 0) FROM ready_wait WHERE NOT ended) AS open,
        (SELECT sum(runs) FROM run) AS runs, (SELECT sum(cpu_ns) FROM run) AS cpu_ns,
        (SELECT max(longest_ns) FROM ready_wait WHERE ended) AS longest_ns,
        (SELECT count(*) FROM etw_run WHERE utid != 0) AS full_runs`,
    );
    const lengths = rows
      .filter(({ what }) => what === 'wait')
      .map(({ dur }) => dur)
      .sort((a, b) => a - b);
    expect(found).toEqual({
      waits: sum('wait').count,
      ready_ns: sum('wait').ns,
      open: sum('open').count,
      runs: sum('run').count,
      cpu_ns: sum('run').ns,
      longest_ns: lengths.at(-1),
      full_runs: sum('run').count,
    });
    const classes = await ask(
      'lake',
      'SELECT class, sum(waits) AS waits FROM ready_wait WHERE ended GROUP BY class ORDER BY class',
    );
    for (const part of [0.5, 0.9, 0.99]) {
      const nth = Math.ceil(part * lengths.length);
      let so_far = 0;
      const merged = classes.find(({ waits }) => (so_far += Number(waits)) >= nth);
      expect(merged?.class).toBe(waitClass(lengths[nth - 1] ?? 0));
    }
  });

  test('leaves a trace that is there as it is, and what is no trace out', async () => {
    writeFileSync(join(folder, 'notes.etl'), 'no trace');
    const { code, stdout, stderr } = await outrank('lake', 'add', 'lake', 'one.etl', 'notes.etl', 'gone.etl');
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: expect.stringMatching(/^one.etl: is there already: [0-9a-f]{16}\n$/) as string,
      stderr: expect.stringMatching(
        /left out: .*notes.etl: not an ETL file.*\n.*left out: .*gone.etl: no such file/,
      ) as string,
    });
  });

  test('keeps the trace of a bundle, which may be there already', async () => {
    await outrank('bundle', 'two.etl', '-o', 'two.outrank');
    const [own] = await ask('lake', `SELECT trace_id FROM trace WHERE name = 'two.etl'`);
    const id = String(own?.trace_id).slice(0, 16);
    const bundled = async (lake: string) => {
      const { stdout, stderr } = await outrank('lake', 'add', lake, 'two.outrank');
      return [stdout.replace(/, [\d.]+ kB/, ''), stderr];
    };
    expect(await bundled('lake')).toEqual([`two.outrank: is there already: ${id}\n`, '']);
    expect(await bundled('bundled')).toEqual([`two.outrank: added: ${id}\n`, '']);
  });

  test('a bundle of a Perfetto trace has no full tables, which is told; without --full it is added', async () => {
    await outrank('convert', 'two.etl', '-o', 'converted.pftrace');
    await outrank('bundle', 'converted.pftrace', '-o', 'converted.outrank');
    const add = async (...args: string[]) => {
      const { code, stdout, stderr } = await outrank('lake', 'add', 'of-converted', ...args);
      return [code, stdout.replace(/, [\d.]+ kB: .*/, ''), stderr.replaceAll(`${folder}/`, '')];
    };
    const why = 'full tables are made of the .etl alone; without --full it can be added';
    expect(await add('--full', 'converted.outrank', 'converted.pftrace')).toEqual([
      2,
      '',
      `outrank: left out: converted.outrank: holds converted.pftrace, a Perfetto trace: ${why}\n` +
        `outrank: left out: converted.pftrace: is a Perfetto trace: ${why}\n`,
    ]);
    expect(await add('converted.outrank')).toEqual([0, 'converted.outrank: added\n', '']);
  });

  test('tells programs what became of each trace', async () => {
    writeFileSync(join(folder, 'notes.etl'), 'no trace');
    const { code, stdout, stderr } = await outrank(
      ...['lake', 'add', 'lake', 'one.etl', 'notes.etl', '--format', 'json'],
    );
    const [there, left_out, ...rest] = stdout.split('\n');
    expect({ code, stderr, rest }).toEqual({ code: 2, stderr: '', rest: [''] });
    expect([JSON.parse(there ?? ''), JSON.parse(left_out ?? '')]).toEqual([
      {
        ...{ version: 1, path: 'one.etl', outcome: 'there', warnings: [], bytes: 0, why: null },
        id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
      {
        ...{ version: 1, path: 'notes.etl', outcome: 'left_out', id: null, warnings: [], bytes: 0 },
        why: `${join(folder, 'notes.etl')}: not an ETL file: expected a buffer header at offset 0, found text`,
      },
    ]);
  });

  test.each(['routine', 'exit-storm'])(
    'takes at most 1 %% of small traces once these are packed: %s',
    async (scenario) => {
      const names = Array.from({ length: 6 }, (_, seed) => `${scenario}-${seed}.etl`);
      for (const [seed, name] of names.entries())
        writeTrace(join(folder, name), scenario, '--seed', String(seed));
      const traces_bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
      const lake = `packed-${scenario}`;
      await outrank('lake', 'add', lake, ...names);
      await outrank('lake', 'compact', lake);
      const files = readdirSync(join(folder, lake), { recursive: true, withFileTypes: true });
      const lake_bytes = files
        .filter((each) => each.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
      expect(lake_bytes).toBeLessThan(traces_bytes / 100);
    },
  );

  test('sums up a storm of exits in few rows; the longest waits have a place', async () => {
    writeTrace(join(folder, 'storm.etl'), 'exit-storm');
    await outrank('lake', 'add', 'storm', 'storm.etl');
    const { stdout } = await outrank(
      ...['query', 'storm.etl', '--format', 'json', '--sql'],
      `SELECT count(*) AS processes, sum(exit_ts - create_ts) AS lifetime_ns, max(exit_ts - create_ts) AS longest_ns,
        (SELECT max(dur) FROM etw_ready_wait WHERE ended) AS wait_ns
      FROM etw_process WHERE name = 'test_child.exe'`,
    );
    const [whole] = JSON.parse(stdout) as Record<string, unknown>[];
    const sums = `SELECT processes, lifetime_ns, longest_ns, (SELECT max(longest_ns) FROM ready_wait WHERE longest_ts IS NOT NULL) AS wait_ns
      FROM process WHERE process = 'test_child.exe'`;
    expect(await ask('storm', sums)).toEqual([whole]);
    const [lacking] = await ask(
      'storm',
      `SELECT count(*) AS groups FROM (SELECT max(longest_ns) AS longest_ns, max(CASE WHEN longest_ts IS NOT NULL THEN longest_ns END) AS placed_ns
        FROM ready_wait GROUP BY process, thread, cause, ended) WHERE longest_ns IS DISTINCT FROM placed_ns`,
    );
    expect(lacking).toEqual({ groups: 0 });
    expect(await ask('storm', 'SELECT count(*) AS n FROM chain')).toEqual([{ n: 100 }]);
  });

  test('says in one line what it cannot do', async () => {
    const refused = async (...args: string[]) => {
      const { code, stderr } = await outrank('lake', ...args);
      return [code, stderr];
    };
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other', 'data.csv'), 'a,b\n');
    expect(await refused('query', 'other', '--sql', 'SELECT 1')).toEqual([
      1,
      `outrank: ${join(folder, 'other')}: is no lake of Outrank: it has no lake.json, but data.csv; a lake begins in an empty place\n`,
    ]);
    expect(await refused('add', 'one.etl', 'two.etl')).toEqual([
      1,
      `outrank: ${join(folder, 'one.etl')}: is no folder\n`,
    ]);
    expect(await refused('add', 'lake', 'one.etl', '--tag', 'build')).toEqual([
      1,
      'outrank: --tag takes NAME=VALUE, such as build=1234, not "build"\n',
    ]);
  });

  test('answers a ready question in words and with links', async () => {
    const { code, stdout } = await outrank('lake', 'ask', 'lake', 'trend-by-build');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^2 traces are in the lake; \d of them lost events\n/);
    expect(stdout).toMatch(/Examples of row 1:\n {2}(one|two).etl at [\d.]+ .?s: outrank:\/\/open#3\./);
  });

  test('prints a ready question as SQL, with its parameters in place', async () => {
    const given = ['--param', 'trace=fc62', '--param', 'top=3', '--format', 'sql'];
    const { code, stdout } = await outrank('lake', 'ask', 'lake', 'traces-like-this', ...given);
    expect(code).toBe(0);
    expect(stdout).toContain("position('fc62' IN trace_id) = 1");
    expect(stdout).toContain('LIMIT 3');
    const asked = ['--format', 'csv', `--sql=${stdout}`];
    const { stdout: rows } = await outrank('lake', 'query', 'lake', ...asked);
    expect(rows.split('\r\n')[0]).toBe('name,overlap,shared,n,example_1,example_2,example_3');
  });

  test('hands a job to spark-submit, with what stands behind --', async () => {
    mkdirSync(join(folder, 'spark', 'bin'), { recursive: true });
    const submit = join(folder, 'spark', 'bin', 'spark-submit');
    writeFileSync(submit, '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n', { mode: 0o755 });
    vi.stubEnv('SPARK_HOME', join(folder, 'spark'));
    const withSpark = outrankIn(folder);
    vi.unstubAllEnvs();
    const fill = ['--traces', 's3a://bucket/traces', '--tag', 'build=7'];
    const filled = await withSpark('lake', 'spark', 'lake', ...fill, '--', '--master', 'yarn');
    expect({ ...filled, stdout: filled.stdout.split('\n') }).toEqual({
      code: 3,
      stdout: [
        ...['--master', 'yarn', join(root, 'app', 'fleet', 'spark', 'fill_lake.py')],
        ...['--traces', 's3a://bucket/traces', '--lake', 'lake', '--outrank', 'outrank'],
        ...['--tag', 'build=7', ''],
      ],
      stderr: '',
    });
    const asked = await withSpark('lake', 'spark', 'lake', '--question', 'left-out', '--param', 'a=b');
    expect(asked.stdout.replaceAll(/outrank-spark-\w+/g, 'FOLDER').split('\n')).toEqual([
      join(root, 'app', 'fleet', 'spark', 'ask_lake.py'),
      ...['--views', join(tmpdir(), 'FOLDER', 'views.sql')],
      ...['--question', join(tmpdir(), 'FOLDER', 'question.panel.sql')],
      ...['--param', 'a=b', ''],
    ]);
    expect((await withSpark('lake', 'spark', 'lake')).stderr).toMatch(
      /^outrank: spark takes --traces FOLDER or --question QUESTION\n/,
    );
  });

  test('is complete after its writers were killed at any time, and ran again', async () => {
    const killed = join(folder, 'killed');
    mkdirSync(killed);
    // The same key of machines, so that all rows can be equal.
    cpSync(join(folder, 'lake', 'lake.json'), join(killed, 'lake.json'));
    const launcher = join(root, 'app', 'cli', 'outrank.mjs');
    const env = { ...process.env, OUTRANK_CONVERTER: places.converter };
    const args = [launcher, 'lake', 'add', 'killed', ...TRACES, '--tag', 'build=7'];
    for (const after_ms of [900, 1700, 2600]) {
      const child = spawn(process.execPath, args, { env, cwd: folder, stdio: 'ignore' });
      const closed = once(child, 'close');
      await Promise.race([setTimeout(after_ms), closed]);
      child.kill('SIGKILL');
      await closed;
    }
    expect((await outrank('lake', 'add', 'killed', ...TRACES, '--tag', 'build=7')).code).toBe(0);
    expect(await ask('killed', SUMS)).toEqual(await ask('lake', SUMS));
    expect((await outrank('lake', 'check', 'killed')).stdout).toMatch(
      /^2 traces in 24 files.*all that is listed is whole\n$/s,
    );
  });

  (hasS3Server ? describe : describe.skip)('in an S3 bucket', () => {
    let server: S3Server;
    beforeAll(async () => {
      server = await startS3Server(join(folder, 'objects'), 'bucket');
    });
    afterAll(() => server.child.kill());

    test('is as in a folder, packed too', async () => {
      stubAccess({ AWS_ENDPOINT_URL_S3: server.endpoint });
      const inS3 = outrankIn(folder);
      const lake = 's3://bucket/team/lake';
      const added = await inS3('lake', 'add', lake, ...TRACES, '--tag', 'build=7');
      expect(added.stdout).toMatch(/^one.etl: added, .*\ntwo.etl: added, .*\n$/);
      expect((await inS3('lake', 'compact', lake)).stdout).toMatch(/2 traces in one pack/);
      expect(await ask(lake, SUMS, inS3)).toEqual(await ask('lake', SUMS));
      expect((await inS3('lake', 'check', lake)).stdout).toMatch(/all that is listed is whole/);
      expect((await inS3('lake', 'query', 's3://missing/lake', '--sql', 'SELECT 1')).stderr).toMatch(
        /outrank: s3:\/\/missing: cannot be reached/,
      );
    });
  });
});

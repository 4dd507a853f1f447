import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const outrank = outrankIn(folder);

describeReal('outrank blame and outrank episodes', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'lock.etl'), 'user-lock');
    writeTrace(join(folder, 'hang.etl'), 'user-lock', '--messages');
    writeTrace(join(folder, 'wmi.etl'), 'wmi');
    writeTrace(join(folder, 'exits.etl'), 'exit-storm');
  });

  test('blame names the thread that held the lock first', async () => {
    const { code, stdout } = await outrank('blame', 'wmi.etl', '--format', 'json', '--limit', '1');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      rows: [{ process: 'svchost.exe', tid: 36108, blocked_ns: 0 }],
    });
  });

  test('blame prints a table, by thread or process', async () => {
    const { stdout } = await outrank('blame', 'lock.etl');
    expect(stdout).toMatchInlineSnapshot(`
      "others waited  it ran or was ready  it was blocked  its CPU time  thread
            1.000 s               600 ms          400 ms        201 ms  explorer.exe (tid 1004)  t-4
            1.00 ms              1.00 ms            0 ns       1.00 ms  editor.exe (tid 2004)  t-5
               0 ns                 0 ns            0 ns       1.00 ms  browser.exe (tid 3004)  t-6
      "
    `);
    const byProcess = await outrank('blame', 'lock.etl', '--by', 'process', '--limit', '1');
    expect(byProcess.stdout).toMatchInlineSnapshot(`
      "others waited  it ran or was ready  it was blocked  its CPU time  process
            1.000 s               600 ms          400 ms        201 ms  explorer.exe (pid 1000)

      2 more are not listed.
      "
    `);
  });

  test('blame names the service whose thread held the lock, and says where there is no knot', async () => {
    const byService = await outrank('blame', 'wmi.etl', '--by', 'service', '--limit', '1');
    expect(byService.stdout).toMatchInlineSnapshot(`
      "others waited  it ran or was ready  it was blocked  its CPU time  service
            2,532 s              2,296 s         235.9 s      41.812 s  Winmgmt

      44 more are not listed.
      "
    `);
    const byKnot = await outrank('blame', 'wmi.etl', '--by', 'knot');
    expect(byKnot.stdout).toBe('No threads wait only for each other.\n');
  });

  test('blame tells drivers by what their DPCs and interrupts ended', async () => {
    const { stdout } = await outrank('blame', 'wmi.etl', '--by', 'driver', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, rows: [{ driver: null, active_ns: 0 }] });
    expect((await outrank('blame', 'wmi.etl', '--by', 'driver')).stdout).toBe(
      'No DPCs and interrupts were recorded: drivers are not known. Record with the kernel flags DPC and INTERRUPT (in WPR: the CPU profile).\n',
    );
  });

  test('episodes are listed with the command that explains the longest', async () => {
    const { code, stdout } = await outrank('episodes', 'lock.etl');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "episodes                 count     p50     p95  longest          at  its thread
      thread woken to its run      3  300 ns  500 ns   500 ns  0.499999 s  explorer.exe (tid 1004)

      Where the time of the longest ones went:
        outrank explain lock.etl --thread 1004 --from 1499999000 --to 1499999500
      "
    `);
  });

  test('a block of the thread in focus is an episode, from when it wants the lock', async () => {
    const { stdout } = await outrank('episodes', 'hang.etl');
    expect(stdout).toMatchInlineSnapshot(`
      "episodes                 count     p50     p95  longest          at  its thread
      thread in focus blocked      1  380 ms  380 ms   380 ms  0.120000 s  editor.exe (tid 2004)
      thread woken to its run      4  300 ns  500 ns   500 ns  0.119999 s  editor.exe (tid 2004)

      Where the time of the longest ones went:
        outrank explain hang.etl --thread 2004 --from 1120000000 --to 1500000500
        outrank explain hang.etl --thread 2004 --from 1119999000 --to 1119999500
      "
    `);
  });

  test('slow exits are told from ordinary ones: other threads of the test children ran meanwhile', async () => {
    const { code, stdout } = await outrank('episodes', 'exits.etl', '--contrast', 'process_life');
    expect(code).toBe(0);
    const [about, slow] = stdout.split('\n');
    expect(about).toMatch(/^1,000 episodes \(process created to its exit\): p50 1\.\d+ s, p95 1\.\d+ s\.$/);
    expect(slow).toMatch(/^Slow, above p95: 50; /);
    // The exits queue behind one lock: the later one began, the longer it waits for the others.
    expect(stdout).toMatch(/\+1\.\d+ s +± \d+ ms +yes .* process +test_child\.exe\n/);
    const json = await outrank('episodes', 'exits.etl', '--contrast', 'process_life', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, slow: { count: 50, divided: 50 } });
  });

  test.each([
    [
      ['blame', 'lock.etl', '--by', 'cpu'],
      '--by takes thread, process, service, driver, module, knot, not "cpu"',
    ],
    [['blame', 'lock.etl', '--limit', '0'], '--limit takes a count, not "0"'],
    [['episodes'], 'TRACE is missing'],
    [
      ['episodes', 'lock.etl', '--contrast', 'click'],
      '--contrast takes input, focus_block, activity, process_life, process_to_image, process_to_focus, freeze, wake, not "click"',
    ],
    [['episodes', 'lock.etl', '--format', 'csv'], '--format takes text, json, not "csv"'],
  ])('%j is refused: %s', async (args, message) => {
    const { code, stderr } = await outrank(...args);
    expect({ code, message: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      message: `outrank: ${message}`,
    });
  });
});

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { outrankIn } from './testing.ts';

const folder = temporaryFolder();
const outrank = outrankIn(folder);

describeReal('outrank explain', () => {
  beforeAll(() => {
    writeTrace(join(folder, 'lock.etl'), 'user-lock');
  });

  test('lists the longest waits with their handles', async () => {
    const { code, stdout } = await outrank('explain', 'lock.etl');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "The longest ready waits
      wait        from   ready  thread
      w-1   0.499999 s  500 ns  t-4     explorer.exe (tid 1004)
      w-2   0.500000 s  300 ns  t-5     editor.exe (tid 2004)
      w-3   0.501000 s  300 ns  t-6     browser.exe (tid 3004)

      outrank explain lock.etl w-1 says where the time of the first one went.
      "
    `);
  });

  test('the command that it tells can be copied, whatever the file is called', async () => {
    copyFileSync(join(folder, 'lock.etl'), join(folder, "Jo's lock.etl"));
    const { stdout } = await outrank('explain', "Jo's lock.etl");
    expect(stdout).toContain("\noutrank explain 'Jo'\\''s lock.etl' w-1 says");
  });

  test('says where the time of a thread went, in text', async () => {
    const args = ['--thread', '2004', '--from', '0s', '--to', '501ms'];
    const { code, stdout } = await outrank('explain', 'lock.etl', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "No DPCs and interrupts were recorded: DPCs and interrupts explain nothing. Record with the kernel flags DPC and INTERRUPT (in WPR: the CPU profile).

      Of the 501 ms of editor.exe (tid 2004), explorer.exe (tid 1004) ran for 201 ms (40.1 %); explorer.exe (tid 1004) was blocked for 200 ms (39.9 %) until an interrupt ended the wait, with no thread behind: wait reason Executive; explorer.exe (tid 1004) accounts for 99.0 ms (19.8 %) that is not recorded: what the thread did; the rest is 1.00 ms in 3 parts.

      By owner
         Time   Share  Thread                   What                                  Detail                 Parts  Longest          At  Handle
       201 ms  40.1 %  explorer.exe (tid 1004)  ran                                   –                          2   201 ms  0.099000 s  t-4
       200 ms  39.9 %  explorer.exe (tid 1004)  blocked: interrupt, no thread behind  wait reason Executive      1   200 ms  0.300000 s  t-4
      99.0 ms  19.8 %  explorer.exe (tid 1004)  not recorded                          what the thread did        1  99.0 ms  0.000000 s  t-4
      1.00 ms   0.2 %  editor.exe (tid 2004)    ran                                   –                          1  1.00 ms  0.500000 s  t-5
       500 ns   0.0 %  explorer.exe (tid 1004)  ready: idle wake-up                   –                          1   500 ns  0.499999 s  t-4
       300 ns   0.0 %  editor.exe (tid 2004)    ready: priority                       –                          1   300 ns  0.500000 s  t-5

      Part by part
              At     Time  Depth  Thread                   What                                  Detail
      0.000000 s  99.0 ms      1  explorer.exe (tid 1004)  not recorded                          what the thread did
      0.099000 s   201 ms      1  explorer.exe (tid 1004)  ran                                   –
      0.300000 s   200 ms      1  explorer.exe (tid 1004)  blocked: interrupt, no thread behind  wait reason Executive
      0.499999 s   500 ns      1  explorer.exe (tid 1004)  ready: idle wake-up                   –
      0.499999 s   700 ns      1  explorer.exe (tid 1004)  ran                                   –
      0.500000 s   300 ns      0  editor.exe (tid 2004)    ready: priority                       –
      0.500000 s  1.00 ms      0  editor.exe (tid 2004)    ran                                   –

      "
    `);
  });

  test('takes a handle, and writes JSON, Markdown or a picture', async () => {
    const json = await outrank('explain', 'lock.etl', 'w-1', '--format', 'json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      version: 1,
      delay: { dur: 500, thread: { tid: 1004 }, parts: [{ owner: 'idle_wake_up', dur: 500 }] },
    });
    const handle = (JSON.parse(json.stdout) as { delay: { thread: { handle: string } } }).delay.thread.handle;
    const ofThread = await outrank('explain', 'lock.etl', handle, '--format', 'markdown');
    expect(ofThread.stdout).toContain('# Explain a delay\n');
    const svg = await outrank('explain', 'lock.etl', 'w-1', '--format', 'svg');
    expect(svg.stdout).toMatch(/^<svg .*Explain a delay/);
  });

  test.each([
    [['explain'], 'TRACE is missing'],
    [['explain', 'lock.etl', 'x-1'], '"x-1" is no handle: w-1 is a wait, t-4 a thread, f-2 a finding'],
    [['explain', 'lock.etl', 'w-0'], '"w-0" is no handle: w-1 is a wait, t-4 a thread, f-2 a finding'],
    [['explain', 'lock.etl', 'w-9'], 'there is no wait w-9: there are 3'],
    [['explain', 'lock.etl', 'w-1', '--thread', '4'], 'a HANDLE or --thread is taken, not both'],
    [['explain', 'lock.etl', '--thread', 'UI'], '--thread takes a thread id, not "UI"'],
    [['explain', 'lock.etl', '--thread', '7'], 'No thread had the id 7 in this time.'],
    [['explain', 'lock.etl', '--thread', '2004', '--from', '2s', '--to', '1s'], '--from must be before --to'],
  ])('%j is refused: %s', async (args, message) => {
    const { code, stderr } = await outrank(...args);
    expect({ code, message: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      message: `outrank: ${message}`,
    });
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, test } from 'vitest';
import { describeReal, temporaryFolder, writeTrace } from '../host/testing/real.ts';
import { ask, connect, rowsOf } from './testing.ts';
import type { Written } from './write.ts';

const folder = temporaryFolder();

/** What is known of a synthetic trace, as far as it is used here. */
interface Truth {
  readonly wait: { readonly tid: number; readonly ready_dur_ns: number; readonly rank: number };
  readonly release: { readonly holder: { readonly tid: number } };
  readonly hot_loop: { readonly tid: number; readonly module: string };
  readonly exit_storm: { readonly exits: readonly { readonly pid: number }[] };
  readonly thread_growth: { readonly pid: number; readonly threads: number };
  readonly user_lock: { readonly holder_tid: number; readonly held_ns: number; readonly waiter_tid: number };
  readonly slow_disk: { readonly disk: number; readonly reader_tid: number };
  readonly storm: { readonly first: { readonly tid: number }; readonly second: { readonly tid: number } };
}

/** So many calls reach a culprit. */
const MOST_CALLS = 6;

interface Story {
  readonly truth: Truth;
  readonly open: () => Promise<Written>;
  /** Follows a call that an answer proposes. */
  readonly follow: (answer: Written, tool: string, at?: number) => Promise<Written>;
}

async function story(scenario: string, ...options: string[]): Promise<Story> {
  const truthFile = join(folder, `${scenario}.json`);
  const trace = writeTrace(join(folder, `${scenario}.etl`), scenario, ...options, '--truth', truthFile);
  const calling = counted(await connect(folder, trace));
  return { ...calling, truth: JSON.parse(readFileSync(truthFile, 'utf8')) as Truth };
}

/** Calls of one client, which fail once they are too many to reach a culprit by. */
function counted(client: Client): Omit<Story, 'truth'> & { readonly call: typeof call } {
  let calls = 0;
  function call(tool: string, given: Record<string, unknown> = {}): Promise<Written> {
    calls += 1;
    if (calls > MOST_CALLS) throw new Error(`${MOST_CALLS} calls did not reach the culprit`);
    return ask(client, tool, given);
  }
  return {
    call,
    open: () => call('open'),
    follow(answer, tool, at = 0) {
      const next = answer.next.filter((each) => each.tool === tool)[at];
      if (next === undefined) throw new Error(`no call of ${tool} is proposed`);
      return call(tool, { ...next.arguments });
    },
  };
}

describeReal('an agent reaches the culprit', () => {
  test('lock-screen: a thread of rank 2, in two calls', async () => {
    const { open, follow, truth } = await story('lock-screen');
    const opened = await open();
    const explained = await follow(opened, 'explain');
    expect(rowsOf(explained, 'By owner')[0]).toMatchObject({
      thread: `«LockApp.exe (tid ${truth.wait.tid}, Lock screen UI)»`,
      owner: '«ready: rank»',
      sum_ns: truth.wait.ready_dur_ns,
    });
    expect(explained.link).toMatch(/^outrank:\/\/open#3\./);
  });

  test('wmi: who held a lock for 41.57 s, in three calls', async () => {
    const { open, follow, truth } = await story('wmi');
    const opened = await open();
    const chain = await follow(opened, 'chain');
    const beyond = await follow(chain, 'chain');
    expect(beyond.says[0]).toContain(`svchost.exe Winmgmt (tid ${truth.release.holder.tid}): 41.570 s`);
  });

  test('hot-loop: whose loop, and where, in two calls', async () => {
    const { open, follow, truth } = await story('hot-loop');
    const opened = await open();
    expect(opened.says.join(' ')).toContain(`${truth.hot_loop.module}+0x3f280`);
    const proof = await follow(opened, 'view', 1);
    expect(rowsOf(proof, 'Who woke it')[0]).toMatchObject({
      thread: `«svchost.exe (tid ${truth.hot_loop.tid})»`,
    });
  });

  test('exit-storm: exits one at a time, in two calls', async () => {
    const { open, follow, truth } = await story('exit-storm');
    const opened = await open();
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Serialised exits')[0]).toMatchObject({
      exits: truth.exit_storm.exits.length - 1,
      reason: '«WrResource»',
    });
  });

  test('thread-growth: whose threads cost ever more, in two calls', async () => {
    const { open, follow, truth } = await story('thread-growth');
    const opened = await open();
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Cost against count')[0]).toMatchObject({
      series: `«threads of server.exe (pid ${truth.thread_growth.pid})»`,
      count: truth.thread_growth.threads,
      together: '«O(n²)»',
    });
  });

  test('switch-storm: which two threads take turns, in two calls', async () => {
    const { open, follow, truth } = await story('switch-storm', '--count', '200000');
    const opened = await open();
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Pairs of threads')[0]).toMatchObject({
      a: `«svchost.exe (tid ${truth.storm.first.tid})»`,
      b: `«svchost.exe (tid ${truth.storm.second.tid})»`,
    });
  });

  test('user-lock: who held the lock, for whom, and what it did, in three calls', async () => {
    const { open, follow, truth } = await story('user-lock');
    const { holder_tid, held_ns, waiter_tid } = truth.user_lock;
    const opened = await open();
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Waits for the user lock')[0]).toMatchObject({
      thread: `«editor.exe (tid ${waiter_tid})»`,
      holder: `«explorer.exe (tid ${holder_tid})»`,
      held_ns,
    });
    const explained = await follow(proof, 'explain');
    expect(rowsOf(explained, 'By owner')[0]).toMatchObject({
      thread: `«explorer.exe (tid ${holder_tid})»`,
      detail: '«wait reason Executive»',
    });
  });

  test('slow-disk: which disk, and who waited for it, in four calls', async () => {
    const { open, follow, truth } = await story('slow-disk', '--count', '2000', '--cpus', '4');
    const { disk, reader_tid } = truth.slow_disk;
    const opened = await open();
    expect(opened.says[1]).toContain('Disk 0 took 33.0 ms or more for one in twenty of 2,000 transfers');
    const proof = await follow(opened, 'view');
    const explained = await follow(proof, 'explain');
    const [most] = rowsOf(explained, 'By owner');
    expect(most).toMatchObject({ thread: `«browser.exe (tid ${reader_tid})»`, owner: '«blocked: disk»' });
    const meanwhile = await follow(explained, 'view');
    expect(rowsOf(meanwhile, 'By disk and kind')).toMatchObject([{ disk, kind: '«read»' }]);
  });

  test('two runs, one with workers of rank 2: two calls find that the rank changed', async () => {
    const machine = (change: string) =>
      writeTrace(join(folder, `${change}.etl`), 'routine', '--change', change, '--seconds', '12');
    const { call, follow } = counted(await connect(folder, machine('none'), machine('rank')));
    const answer = await call('compare', { before: 'none.etl', after: 'rank.etl' });
    const [first] = rowsOf(answer, 'What changed');
    expect(first).toMatchObject({ process: '«app.exe»', what: '«ready: rank»' });
    expect(answer.says[0]).toContain('Most changed app.exe, ready: rank: +');
    const explained = await follow(answer, 'explain');
    expect(explained).toMatchObject({ trace: '«rank.etl»' });
    expect(rowsOf(explained, 'By owner')[0]).toMatchObject({ owner: '«ready: rank»' });
    const same = await call('compare', { before: 'none.etl', after: 'none.etl' });
    expect(same.says[0]).toContain('A and B do not differ in what is compared.');
  });

  test('groups of runs, and a range of each: the rank is found, and which traces were compared', async () => {
    const runs = (change: string, seeds: readonly number[]) =>
      seeds.map((seed) => {
        const name = `${change}-${seed}.etl`;
        writeTrace(join(folder, name), 'routine', '--change', change, '--seconds', '6', '--seed', `${seed}`);
        return name;
      });
    const sides = { before: runs('none', [1, 2, 3]), after: runs('rank', [4, 5, 6]) };
    const { call } = counted(await connect(folder, ...sides.before, ...sides.after));
    const answer = await call('compare', { ...sides, before_to: '5s', after_from: '1s' });
    const ranks = rowsOf(answer, 'What changed').filter(({ what }) => what === '«ready: rank»');
    expect(ranks).toMatchObject([{ process: '«app.exe»', a_ns: 0 }]);
    expect(ranks[0]?.delta_ns).toBeGreaterThan(1e9);
    const traces = rowsOf(answer, 'Sides');
    expect(traces.map(({ side, trace }) => `${String(side)} ${String(trace)}`)).toEqual([
      ...sides.before.map((name) => `A «${name}»`),
      ...sides.after.map((name) => `B «${name}»`),
    ]);
    expect(answer.link).toBeUndefined();
  });
});

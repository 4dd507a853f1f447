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
  readonly storm: { readonly first: { readonly tid: number }; readonly second: { readonly tid: number } };
}

interface Story {
  readonly client: Client;
  readonly truth: Truth;
  /** Follows a call that an answer proposes. */
  readonly follow: (answer: Written, tool: string, at?: number) => Promise<Written>;
}

async function story(scenario: string, ...options: string[]): Promise<Story> {
  const truthFile = join(folder, `${scenario}.json`);
  const trace = writeTrace(join(folder, `${scenario}.etl`), scenario, ...options, '--truth', truthFile);
  const client = await connect(folder, trace);
  const follow = (answer: Written, tool: string, at = 0): Promise<Written> => {
    const call = answer.next.filter((each) => each.tool === tool)[at];
    if (call === undefined) throw new Error(`no call of ${tool} is proposed`);
    return ask(client, tool, { ...call.arguments });
  };
  return { client, follow, truth: JSON.parse(readFileSync(truthFile, 'utf8')) as Truth };
}

describeReal('an agent reaches the culprit', () => {
  test('lock-screen: a thread of rank 2, in two calls', async () => {
    const { client, follow, truth } = await story('lock-screen');
    const opened = await ask(client, 'open');
    const explained = await follow(opened, 'explain');
    expect(rowsOf(explained, 'By owner')[0]).toMatchObject({
      thread: `«LockApp.exe (tid ${truth.wait.tid}) Lock screen UI»`,
      owner: '«ready: rank»',
      sum_ns: truth.wait.ready_dur_ns,
    });
    expect(explained.link).toMatch(/^outrank:\/\/open#3\./);
  });

  test('wmi: who held a lock for 41.57 s, in three calls', async () => {
    const { client, follow, truth } = await story('wmi');
    const opened = await ask(client, 'open');
    const chain = await follow(opened, 'chain');
    const beyond = await follow(chain, 'chain');
    expect(beyond.says[0]).toContain(`svchost.exe Winmgmt (tid ${truth.release.holder.tid}): 41.570 s`);
  });

  test('hot-loop: whose loop, and where, in two calls', async () => {
    const { client, follow, truth } = await story('hot-loop');
    const opened = await ask(client, 'open');
    expect(opened.says.join(' ')).toContain(`${truth.hot_loop.module}+0x3f280`);
    const proof = await follow(opened, 'view', 1);
    expect(rowsOf(proof, 'Who woke it')[0]).toMatchObject({
      thread: `«svchost.exe (tid ${truth.hot_loop.tid})»`,
    });
  });

  test('exit-storm: exits one at a time, in two calls', async () => {
    const { client, follow, truth } = await story('exit-storm');
    const opened = await ask(client, 'open');
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Serialised exits')[0]).toMatchObject({
      exits: truth.exit_storm.exits.length - 1,
      reason: '«WrResource»',
    });
  });

  test('thread-growth: whose threads cost ever more, in two calls', async () => {
    const { client, follow, truth } = await story('thread-growth');
    const opened = await ask(client, 'open');
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Cost against count')[0]).toMatchObject({
      series: `«threads of server.exe (pid ${truth.thread_growth.pid})»`,
      count: truth.thread_growth.threads,
      together: '«O(n²)»',
    });
  });

  test('switch-storm: which two threads take turns, in two calls', async () => {
    const { client, follow, truth } = await story('switch-storm', '--count', '200000');
    const opened = await ask(client, 'open');
    const proof = await follow(opened, 'view');
    expect(rowsOf(proof, 'Pairs of threads')[0]).toMatchObject({
      a: `«svchost.exe (tid ${truth.storm.first.tid})»`,
      b: `«svchost.exe (tid ${truth.storm.second.tid})»`,
    });
  });

  test('two runs of which one has workers of rank 2: the rank is what changed, in one call', async () => {
    const machine = (change: string) =>
      writeTrace(join(folder, `${change}.etl`), 'routine', '--change', change, '--seconds', '12');
    const client = await connect(folder, machine('none'), machine('rank'));
    const answer = await ask(client, 'compare', { before: 'none.etl', trace: 'rank.etl' });
    const [first] = rowsOf(answer, 'What changed');
    expect(first).toMatchObject({ process: '«app.exe»', what: '«ready: rank»' });
    expect(answer.says[0]).toContain('Most changed app.exe, ready: rank: +');
    const same = await ask(client, 'compare', { before: 'none.etl', trace: 'none.etl' });
    expect(same.says[0]).toContain('A and B do not differ in what is compared.');
  });
});

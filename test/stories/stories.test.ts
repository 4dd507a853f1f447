import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runAllRules } from '../../shared/findings/index.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { summariseTrace } from '../../app/host/trace-summary.ts';
import { dataOf } from '../../shared/tables/index.ts';

describeReal('a trace is one story that names the culprit in its first sentence', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  /** The stories of a trace: the first sentence, and the rules of what it explains. */
  async function told(scenario: string, ...options: string[]) {
    const truthPath = join(folder, 'truth.json');
    const trace = writeTrace(join(folder, `${scenario}.etl`), scenario, ...options, '--truth', truthPath);
    const { id } = await host.open(trace, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const summary = await summariseTrace(dataOf(query).tables);
    if (summary === null) throw new Error('no trace');
    const found = await runAllRules(query, { files: [], refused: [] }, summary.range);
    await host.close(id);
    expect(found.failed).toEqual([]);
    const truth: unknown = JSON.parse(readFileSync(truthPath, 'utf8'));
    const inStories = found.stories.flatMap(({ finding, explains }) => [finding, ...explains]);
    expect(inStories.sort((a, b) => a - b)).toEqual([...found.findings.keys()]);
    const stories = found.stories.map(({ finding, sentence, explains }) => ({
      rule: found.findings[finding]?.rule,
      first: sentence.split(/\. (?=[A-Z\d])/)[0] ?? '',
      explains: explains.map((place) => found.findings[place]?.rule),
    }));
    return { stories, truth };
  }

  test('lock screen: the thread, and its rank', async () => {
    const { stories, truth } = await told('lock-screen');
    const { wait } = truth as { readonly wait: { readonly tid: number } };
    expect(stories).toMatchObject([{ rule: 'rank-starvation', explains: [] }]);
    expect(stories[0]?.first).toContain(`LockApp.exe (tid ${wait.tid}, Lock screen UI) was ready`);
    expect(stories[0]?.first).toContain('at rank 2');
  });

  test('WMI: who held the lock, and not who released the others', async () => {
    const { stories, truth } = await told('wmi');
    const { release } = truth as { readonly release: { readonly holder: { readonly tid: number } } };
    expect(stories).toMatchObject([{ rule: 'release-moment', explains: ['blame-above-bound'] }]);
    expect(stories[0]?.first).toContain(`svchost.exe Winmgmt (tid ${release.holder.tid}): ran for`);
  });

  test.each([
    ['exit-storm', [], 'serialised-exits', ['blame-above-bound'], 'test_child.exe'],
    ['thread-growth', [], 'growing-cost', ['blame-above-bound', 'blame-above-bound'], 'server.exe'],
    ['user-lock', [], 'user-lock-contention', ['blame-above-bound'], 'explorer.exe (tid 1004)'],
    ['slow-disk', ['--count', '3000', '--cpus', '4'], 'slow-disk', [], 'Disk 0'],
    ['hot-loop', [], 'hot-loop', ['blame-above-bound', 'release-moment'], 'svchost.exe (pid 8000)'],
  ] as const)('%s', async (scenario, options, rule, explains, culprit) => {
    const { stories } = await told(scenario, ...options);
    expect(stories).toMatchObject([{ rule, explains }]);
    expect(stories[0]?.first).toContain(culprit);
  });

  test.each(['routine', 'minimal'])('nothing is told where nothing is wrong: %s', async (scenario) => {
    expect((await told(scenario)).stories).toEqual([]);
  });
});

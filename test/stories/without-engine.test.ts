import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { longestWaits, partition } from '../../shared/causes/index.ts';
import { loadAnchors, measureOpen } from '../../shared/compare/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { GROUPINGS } from '../../views/cpu-usage/params.ts';
import { cpuUsage } from '../../views/cpu-usage/view.ts';
import { episodes } from '../../views/episodes/view.ts';
import { focusAndInput } from '../../views/focus-and-input/view.ts';
import { frozenProcesses } from '../../views/frozen-processes/view.ts';
import { genericEvents } from '../../views/generic-events/view.ts';
import { io } from '../../views/io/view.ts';
import { loadMachineTracks } from '../../views/timeline/machine.ts';
import { overview } from '../../views/overview/view.ts';
import { processes } from '../../views/processes/view.ts';
import { rankHistory } from '../../views/rank-history/view.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { system } from '../../views/system/view.ts';
import { threads } from '../../views/threads/view.ts';
import { userLocks } from '../../views/user-locks/view.ts';
import type { PixelsAnswer, Stretch } from '../../views/timeline/questions.ts';
import { timeline } from '../../views/timeline/view.ts';
import { wakeChain } from '../../views/wake-chain/view.ts';

describeReal('no engine is started', () => {
  const folder = temporaryFolder();
  let starts = 0;
  const host = startHost(join(folder, 'cache'), {
    startEngine: () => {
      starts++;
      return Promise.reject(new Error('an engine was started'));
    },
  });
  afterAll(() => expect(starts).toBe(0));

  const open = async (...scenario: string[]) => {
    const [name = 'random'] = scenario;
    const of = scenario.length > 0 ? scenario : ['random', '--seed', '4'];
    const trace = writeTrace(join(folder, `${name}.etl`), ...of);
    const opened = await host.open(trace, { columns: true });
    if (opened.summary === null) throw new Error('no Windows trace');
    return { query: hostQuery(host, opened), range: opened.summary.range };
  };

  test('for the first picture of a trace', async () => {
    const { query, range } = await open();
    const model = await overview.load(query, readParams(overview.params, {}), range);
    expect(model.processes).not.toEqual([]);
  });

  test('for ready latency', async () => {
    const { query, range } = await open();
    const model = await readyLatency.load(query, readParams(readyLatency.params, {}), range);
    expect(model.waits).not.toEqual([]);
  });

  test('for a wake chain, back and forward', async () => {
    const { query, range } = await open('user-lock');
    const model = await wakeChain.load(query, readParams(wakeChain.params, {}), range);
    expect([model.links, model.released]).not.toContainEqual([]);
  });

  test('for the history of ranks', async () => {
    const { query, range } = await open('lock-screen');
    const model = await rankHistory.load(query, readParams(rankHistory.params, {}), range);
    expect([model.lanes, model.changes]).not.toContainEqual([]);
  });

  test.each(GROUPINGS)('for CPU usage by %s', async (by) => {
    const { query, range } = await open();
    const params = readParams(cpuUsage.params, { by });
    const model = await cpuUsage.load(query, params, range);
    const later = await cpuUsage.later?.load(query, params, range, model);
    expect([model.groups, later?.groups]).not.toContainEqual([]);
  });

  test('to explain a delay', async () => {
    const { query, range } = await open();
    const [wait] = await longestWaits(query, 1, range);
    if (wait === undefined) throw new Error('no ready waits');
    const { parts } = await partition(query, wait);
    expect(parts).not.toEqual([]);
  });

  test.each(['disk', 'file', 'hard_fault'])('for disk and file I/O: %s', async (source) => {
    const { query, range } = await open('io', '--count', '400');
    const params = readParams(io.params, { source });
    const model = await io.load(query, params, range);
    expect(model.ios).not.toEqual([]);
    expect((await io.later?.load(query, params, range, model))?.waits).toHaveLength(model.ios.length);
  });

  test('for generic events, and a text in these', async () => {
    const { query, range } = await open('attention');
    const load = (given: Readonly<Record<string, unknown>>) =>
      genericEvents.load(query, readParams(genericEvents.params, given), range);
    expect((await load({})).events).not.toEqual([]);
    expect((await load({ search: ':1' })).events).not.toEqual([]);
  });

  test('for the timeline, its events, and what one of these says', async () => {
    const { query, range } = await open('attention');
    const params = readParams(timeline.params, { events: 'win32k', lines: 'rank', color: 'priority' });
    const first = await timeline.load(query, params, range);
    const model = (await timeline.later?.load(query, params, range, first)) ?? first;
    const { key = '' } = model.tracks.find(({ label }) => label === 'Win32k') ?? {};
    const zoom = { start: range.start, pixel_ns: (range.end - range.start) / 100, pixels: 100 };
    const asked = { kind: 'pixels', zoom, tracks: [key], judged: true, line: null };
    const { cells } = (await timeline.answer?.(query, asked)) as PixelsAnswer;
    expect(new Set(cells).size).toBeGreaterThan(1);
    const next = { kind: 'next', track: key, ts: range.start, step: 1 };
    const { facts = [] } = ((await timeline.answer?.(query, next)) ?? {}) as Partial<Stretch>;
    expect(facts[0]).toEqual(['Provider', 'Microsoft-Windows-Win32k']);
  });

  test('for the system', async () => {
    const { query, range } = await open('lock-screen');
    const model = await system.load(query, readParams(system.params, {}), range);
    expect([model.machine, model.recording, model.services, model.kinds]).not.toContainEqual([]);
  });

  test('for threads that are made one after the other', async () => {
    const { query, range } = await open('thread-growth', '--threads', '200');
    const model = await threads.load(query, readParams(threads.params, {}), range);
    expect(model.growths.map(({ what, count }) => [what, count])).toContainEqual(['threads', 200]);
  });

  test('for processes, their exits, and what these waited for', async () => {
    const { query, range } = await open('exit-storm');
    const params = readParams(processes.params, {});
    const model = await processes.load(query, params, range);
    expect(model.processes.filter(({ exit }) => exit !== null).length).toBeGreaterThanOrEqual(1000);
    const waited = await processes.later?.load(query, params, range, model);
    expect([waited?.queues, waited?.waiters]).not.toContainEqual([]);
  });

  test('for episodes', async () => {
    const { query, range } = await open('attention');
    const model = await episodes.load(query, readParams(episodes.params, {}), range);
    expect(model.kinds.map(({ kind }) => kind)).toEqual(['freeze']);
  });

  test('for focus and input, and anchors', async () => {
    const { query, range } = await open('attention');
    const model = await focusAndInput.load(query, readParams(focusAndInput.params, {}), range);
    expect([model.lanes, model.inputs]).not.toContainEqual([]);
    const kinds = new Set((await loadAnchors(query)).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['focus', 'key']);
  });

  test('for frozen processes', async () => {
    const { query, range } = await open('attention');
    const model = await frozenProcesses.load(query, readParams(frozenProcesses.params, {}), range);
    expect(model.lanes).not.toEqual([]);
  });

  test('for the user lock', async () => {
    const { query, range } = await open('user-lock');
    const model = await userLocks.load(query, readParams(userLocks.params, {}), range);
    expect([model.waits, model.holds, model.threads]).not.toContainEqual([]);
  });

  test('for what happened on the machine', async () => {
    const { query } = await open('attention');
    const { tracks } = await loadMachineTracks(query, 2);
    expect(tracks.map(({ label }) => label)).toEqual(['Focus', 'Keys and mouse', 'Frozen processes']);
  });

  test('to measure the I/O of a trace for a comparison', async () => {
    const { query, range } = await open('io', '--count', '400');
    const { cells } = await measureOpen(query, { name: 'a', range }, () => undefined);
    const measures = new Set<string>(cells.map(({ detail }) => detail.measure));
    expect(['disk_io', 'file_io'].filter((measure) => !measures.has(measure))).toEqual([]);
  });

  test('to measure a trace for a comparison', async () => {
    const { query, range } = await open();
    const measured = await measureOpen(query, { name: 'a', range }, () => undefined);
    expect(measured.processes).not.toEqual([]);
  });
});

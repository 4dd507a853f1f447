import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'd3';
import { expect, test } from 'vitest';
import { hostQuery } from '../../app/host/host-query.ts';
import { describeReal, root, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { eachEpisode, EPISODE_KINDS } from '../../shared/causes/index.ts';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { processorWith } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import episodesSql from './episodes.sql';

/** Real traces that hold starts of processes, loads of images, and activities. */
const REAL = ['TraceLoggingTester.etl.gz', 'diaghub.kernel.1.etl.gz', 'net.4.5.2.x64.etl.zip'] as const;
const realFiles = process.env.OUTRANK_REAL_ETL ?? join(root, '..', 'shared', 'etl');
if (!existsSync(realFiles)) console.warn(`SKIPPED: there are no real traces in ${realFiles}`);

const KINDS = EPISODE_KINDS.filter((kind) => kind !== 'input' && kind !== 'wake');

async function episodesBySql(query: Query): Promise<readonly string[]> {
  const rows = [...(await query(episodesSql)).rows()].filter(({ ts, te }) => Number(te) > Number(ts));
  return rows.map(({ kind, utid, ts, te }) => [kind, utid, ts, te].join()).sort();
}

const kindOf = (episode: string) => episode.split(',')[0] ?? '';

async function episodesOf(query: Query): Promise<readonly string[]> {
  const found: string[] = [];
  await eachEpisode(query, { start: 0, end: Infinity }, KINDS, (...episode) => {
    found.push(episode.slice(0, 4).join());
  });
  return found.sort();
}

describeReal('episodes by columns are those that SQL gives', () => {
  const host = startHost(join(temporaryFolder(), 'cache'));
  const folder = temporaryFolder();

  /** How many episodes of each kind there are, once columns and SQL agree. */
  async function agreed(path: string): Promise<Readonly<Record<string, number>>> {
    const trace = await host.open(path, { columns: true });
    const bySql = makeQuery((sql) => host.query(trace.id, sql));
    const expected = await episodesBySql(bySql);
    expect(await episodesOf(hostQuery(host, trace))).toEqual(expected);
    expect(await episodesOf(bySql)).toEqual(expected);
    await host.close(trace.id);
    return Object.fromEntries(rollup(expected, (all) => all.length, kindOf));
  }

  test.each([
    ['generic', '--count', '3000'],
    ['attention'],
    ['exit-storm'],
    ['dotnet'],
    ['lock-screen'],
    ['random', '--seed', '2'],
  ])('of %s', async (name, ...options) => {
    await agreed(writeTrace(join(folder, `${name}.etl`), name, ...options));
  });

  test('of an editor in focus that waits for a lock', async () => {
    const trace = writeTrace(join(folder, 'hang.etl'), 'user-lock', '--messages');
    expect(await agreed(trace)).toEqual({ focus_block: 1 });
  });

  test.skipIf(!existsSync(realFiles)).each(REAL)('of %s', { timeout: 120_000 }, async (name) => {
    expect(await agreed(join(realFiles, name))).toMatchObject({ process_to_image: 1 });
  });
});

const MS = 1_000_000;
/** Three processes, with threads that are numbered from the process on. */
const PIDS = [100, 200, 300];
const THREADS = PIDS.flatMap((pid) => [1, 2, 3].map((thread) => ({ pid, tid: pid + thread })));
/** Waits for an event, a sleep, messages, work and a lock; states: ready and waiting. */
const [REASONS, STATES] = [
  [6, 4, 13, 13, 15, 16, 27],
  [1, 5, 5, 5, 5],
];

/** One thread at a time runs so often, and blocks; meanwhile the focus moves. */
async function withFocus(runs: number): Promise<Query> {
  const trace = new TraceWriter().start(MS, MS).fact(MS, 'etw.trace', { schema: 1, cpu_count: 1 });
  for (const pid of PIDS) trace.process(MS, `${pid}.exe`, '', { pid });
  for (const { pid, tid } of THREADS) trace.thread(MS, null, { pid, tid });
  const random = randomOf(7);
  const pick = <T>(of: readonly T[]): T => of[random(of.length)] as T;
  let [ts, inFocus] = [2 * MS, 100];
  for (let run = 0; run < runs; run++) {
    if (random(8) === 0) {
      const to = pick([0, ...PIDS]);
      const fields = { SessionId: 1, OldProcessId: inFocus, NewProcessId: to };
      trace.genericEvent(ts, 'Microsoft-Windows-Win32k/FocusedProcessChange', [100, 101], 26, fields);
      inFocus = to;
    }
    const [{ tid }, waitReason, state] = [pick(THREADS), pick(REASONS), pick(STATES)];
    const sample = { rank: 0, outPriority: 8, waitReason, state };
    trace.contextSwitch((ts += random(40 * MS)), 0, [0, 2, 0], [tid, 8, sample]);
    trace.contextSwitch((ts += random(20 * MS)), 0, [tid, state, waitReason], [0, 0]);
  }
  const processor = await processorWith(trace.fact(ts + MS, 'etw.end').finish());
  return makeQuery((sql) => Promise.resolve(processor.query(sql)));
}

/** Whole numbers from 0 on below a bound, the same ones each time. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('the blocks of threads whose processes have the focus now and then are those that SQL gives', async () => {
  const query = await withFocus(2000);
  const found = await episodesOf(query);
  expect(found).toEqual(await episodesBySql(query));
  expect(found.length).toBeGreaterThan(50);
});

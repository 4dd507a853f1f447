import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { partition, partitions, type Partition } from '../../../shared/causes/index.ts';
import { makeQuery, type Query } from '../../../shared/engine/index.ts';
import { hostQuery } from '../../../app/host/host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../../app/host/testing/real.ts';
import { slackOf, ticksOf } from './expected.ts';
import { KnownPartition, type KnownPart } from './partition.ts';
import { readTruth, START, sumBy, type RandomTruth } from './truth.ts';

/** Seeds of the machines: `OUTRANK_SEEDS=31-2000 npx vitest run test/stories/random` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-4').split('-').map(Number);
/** A machine with an interrupt of one tick, just before a switch-in. */
const ONE_TICK = 154;
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
if (!seeds.includes(ONE_TICK)) seeds.push(ONE_TICK);

/** How many delays of each machine are divided. */
const DELAYS = 24;

describeReal('where a delay went, on a machine that does random things', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(seeds)('is what the machine knows of itself: seed %i', { timeout: 120_000 }, async (seed) => {
    const truthPath = join(folder, `${seed}.json`);
    const path = writeTrace(join(folder, `${seed}.etl`), 'random', '--seed', `${seed}`, '--truth', truthPath);
    const opened = await host.open(path, { columns: true });
    const whole = await host.open(path, {});
    try {
      const truth = readTruth(truthPath);
      const known = new KnownPartition(truth);
      const columns = hostQuery(host, opened);
      const sql = makeQuery((text) => host.query(whole.id, text));
      const all: Partition[] = [];
      for (const delay of delaysOf(truth)) {
        const utid = await utidOf(columns, truth, delay);
        if (utid === null) continue;
        const of = { utid, ts: delay.start, te: delay.end };
        const divided = await partition(columns, of);
        expectWhole(divided);
        const tids = await tidsOf(columns);
        expectSame(truth, told(divided, tids), known.of(delay.tid, delay.start, delay.end));
        expect(await partition(sql, of)).toEqual(divided);
        all.push(divided);
      }
      const delays = all.map(({ delay }) => delay);
      const together = await partitions(columns, delays);
      expect(together.map(withoutMissing)).toEqual(all.map(withoutMissing));
    } finally {
      await host.close(opened.id);
      await host.close(whole.id);
      rmSync(path);
    }
  });
});

/** Without what exactly was not recorded: more is known of that where more is read. */
function withoutMissing({ parts, ...of }: Partition): Partition {
  const told = parts.map((part) => (part.owner === 'not_recorded' ? { ...part, detail: null } : part));
  return { ...of, parts: told };
}

interface KnownDelay {
  readonly tid: number;
  readonly start: number;
  readonly end: number;
}

/** Delays of all lengths, of threads in turn: some end while the thread is blocked, some begin before it is there. */
function delaysOf({ threads, end_ns }: RandomTruth): KnownDelay[] {
  return Array.from({ length: DELAYS }, (_, index) => {
    const thread = threads[index % threads.length];
    const end = Math.min(thread?.life.end_ns ?? end_ns, START + ((end_ns - START) * (index + 1)) / DELAYS);
    const length = (end - START) / (1 + (index % 5));
    return { tid: thread?.tid ?? 0, start: Math.floor(end - length), end: Math.floor(end) };
  }).filter(({ start, end }) => end > start);
}

async function utidOf(query: Query, truth: RandomTruth, { tid, end }: KnownDelay): Promise<number | null> {
  const lives = truth.threads.filter((thread) => thread.tid === tid);
  if (lives.length !== 1 || (lives[0]?.life.start_ns ?? 0) > end) return null;
  const rows = await query('SELECT utid FROM thread WHERE tid = :tid', { tid });
  const utids = [...rows.rows()].map(({ utid }) => Number(utid));
  return utids.length === 1 ? (utids[0] ?? null) : null;
}

async function tidsOf(query: Query): Promise<ReadonlyMap<number, number>> {
  const rows = await query('SELECT utid, tid FROM thread');
  return new Map([...rows.rows()].map(({ utid, tid }) => [Number(utid), Number(tid)]));
}

function expectWhole({ delay, parts }: Partition): void {
  let at = delay.ts;
  for (const { ts, te } of parts) {
    expect(ts).toBe(at);
    expect(te).toBeGreaterThan(ts);
    at = te;
  }
  expect(at).toBe(delay.te);
}

const NO_THREAD = new Set(['timer', 'device', 'disk', 'hard_fault', 'file']);

function told({ parts }: Partition, tids: ReadonlyMap<number, number>): KnownPart[] {
  return parts.map(({ utid, ts, te, owner }) => ({
    tid: tids.get(utid) ?? -1,
    start: ts,
    end: te,
    owner: NO_THREAD.has(owner) ? 'no_thread' : owner,
  }));
}

function expectSame(truth: RandomTruth, seen: readonly KnownPart[], known: readonly KnownPart[]): void {
  const toTicks = ticksOf(truth);
  const lines = (parts: readonly KnownPart[]) => {
    const joined: KnownPart[] = [];
    for (const part of parts) {
      const before = joined.at(-1);
      if (toTicks(part.end) <= toTicks(part.start)) continue;
      if (before?.tid === part.tid && before.owner === part.owner)
        joined[joined.length - 1] = { ...before, end: part.end };
      else joined.push(part);
    }
    return joined.map(
      ({ tid, start, end, owner }) => `${toTicks(start)} to ${toTicks(end)}: ${tid} ${owner}`,
    );
  };
  if (!truth.shares_ticks) {
    expect(lines(seen)).toEqual(lines(known));
    return;
  }
  const sums = (parts: readonly KnownPart[]) =>
    sumBy(
      parts,
      ({ tid, owner }) => `${tid} ${owner}`,
      ({ start, end }) => end - start,
    );
  const [of, expected] = [sums(seen), sums(known)];
  for (const key of new Set([...Object.keys(of), ...Object.keys(expected)]))
    expect(Math.abs((of[key] ?? 0) - (expected[key] ?? 0)), key).toBeLessThanOrEqual(
      slackOf(truth) + truth.tick_ns,
    );
}

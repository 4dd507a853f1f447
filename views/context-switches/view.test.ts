import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import type { SwitchesModel } from './model.ts';
import { countPairs } from './pairs.ts';
import { THRESHOLDS } from './thresholds.ts';
import { contextSwitches } from './view.ts';

const MS = 1_000_000;
const START = 1000 * MS;
const WAITING = 5;
const whole = { start: START, end: START + 512 * MS };
/** Rank 0, priority 8, 1 ms. */
const VALUE = 8 * 2 ** 8 + 2 ** 13 + 10_000 * 2 ** 16;

/**
 * On CPU 0 `ping` and `pong` of one process take turns, five times each, 0.1 ms each time; on CPU 1 a thread of another
 * process runs once. `ping` and `pong` wake one another.
 */
async function pingPong(): Promise<Query> {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end })
    .process(START, 'queue.exe', '', { pid: 16 })
    .process(START, 'other.exe', '', { pid: 32 })
    .thread(START, 'ping', { tid: 20, pid: 16 })
    .thread(START, 'pong', { tid: 24, pid: 16 })
    .thread(START, null, { tid: 36, pid: 32 })
    .beginSamples(START, [['\\Windows\\queue.exe', 0x1000, 0x9000]], [[0, 0x10]], [[0]])
    .sample(START + 10 * MS + 50_000, 0, [16, 20], { stack: 0, isKernel: true, value: VALUE })
    .contextSwitch(START + 9 * MS, 1, [0, 2, 0], [36, 8, {}])
    .contextSwitch(START + 10 * MS, 0, [0, 2, 0], [20, 8, {}]);
  for (let turn = 1; turn < 10; turn++) {
    const [from, to] = turn % 2 === 0 ? [24, 20] : [20, 24];
    const ts = START + 10 * MS + turn * 100_000;
    trace.readyThread(ts - 1000, 0, to, from).contextSwitch(ts, 0, [from, WAITING, 6], [to, 8, {}]);
  }
  return queryOf(
    trace
      .contextSwitch(START + 11 * MS, 0, [24, WAITING, 6], [0, 0])
      .contextSwitch(START + 19 * MS, 1, [36, WAITING, 6], [0, 0])
      .flush(START + 60 * MS)
      .fact(whole.end, 'etw.end'),
  );
}

async function load(query: Query, given: Readonly<Record<string, unknown>> = {}, range = whole) {
  const params = readParams(contextSwitches.params, given);
  const model = await contextSwitches.load(query, params, range);
  return (await contextSwitches.later?.load(query, params, range, model)) ?? model;
}

/** The buckets that are not zero. */
const filled = (switches: readonly number[]) =>
  Object.fromEntries([...switches.entries()].filter(([, count]) => count !== 0));

const ping = { label: 'queue.exe (tid 20, ping)', tid: 20 };
const pong = { label: 'queue.exe (tid 24, pong)', tid: 24 };
const nothing = { process: null, service: null, pid: null, thread: null, tid: null, cpu: null };

test('all that is drawn of two threads that take turns', async () => {
  const model = await load(await pingPong());
  const { edges, switches, to_idle, series, ...rest } = model;
  expect(edges.slice(0, 2)).toEqual([START, START + MS]);
  expect([filled(switches), filled(to_idle)]).toEqual([
    { 9: 1, 10: 10, 11: 1, 19: 1 },
    { 11: 1, 19: 1 },
  ]);
  expect(series.map((line) => [line.label, filled(line.switches)])).toEqual([
    ['queue.exe (pid 16)', { 10: 10 }],
    ['other.exe (pid 32)', { 9: 1 }],
  ]);
  expect(rest).toEqual({
    origin_ns: START,
    dur_ns: 512 * MS,
    unrecorded: null,
    notes: [],
    by: 'process',
    thresholds: THRESHOLDS,
    kernel: 1 / 1024,
    groups: [
      {
        ...nothing,
        label: 'queue.exe (pid 16)',
        process: 'queue.exe',
        pid: 16,
        switches: 10,
        per_s: 10e9 / (512 * MS),
        share: 10 / 13,
        run_ns: 100_000,
        kernel: 1,
      },
      {
        ...nothing,
        label: 'other.exe (pid 32)',
        process: 'other.exe',
        pid: 32,
        switches: 1,
        per_s: 1e9 / (512 * MS),
        share: 1 / 13,
        run_ns: 10 * MS,
        kernel: null,
      },
    ],
    group_count: 2,
    pairs: {
      one_in: 1,
      pair_count: 1,
      pairs: [
        {
          a: ping,
          b: pong,
          switches_there: 5,
          switches_back: 4,
          wakes_there: 5,
          wakes_back: 4,
          per_s: 9e9 / (512 * MS),
        },
      ],
    },
  } satisfies Omit<SwitchesModel, 'edges' | 'switches' | 'to_idle' | 'series'>);
});

test('by thread and by CPU, and of some processes only', async () => {
  const query = await pingPong();
  const rows = ({ groups }: SwitchesModel) => groups.map(({ label, switches }) => [label, switches]);
  expect(rows(await load(query, { by: 'thread' }))).toEqual([
    [ping.label, 5],
    [pong.label, 5],
    ['other.exe (tid 36)', 1],
  ]);
  expect(rows(await load(query, { by: 'cpu' }))).toEqual([
    ['CPU 0', 11],
    ['CPU 1', 2],
  ]);
  const others = await load(query, { by: 'thread', process: 'OTHER' });
  expect([rows(others), others.pairs?.pairs]).toEqual([[['other.exe (tid 36)', 1]], []]);
});

test('a range between the steps counts the switches within it, from runs', async () => {
  const range = { start: START + 10 * MS + 150_000, end: START + 10 * MS + 450_000 };
  const { edges, switches, series, groups, pairs } = await load(await pingPong(), { by: 'thread' }, range);
  expect(edges).toHaveLength(301);
  expect([filled(switches), series.map((line) => filled(line.switches))]).toEqual([
    { 50: 1, 150: 1, 250: 1 },
    [{ 50: 1, 250: 1 }, { 150: 1 }],
  ]);
  expect(groups.map(({ label, switches }) => [label, switches])).toEqual([
    [ping.label, 2],
    [pong.label, 1],
  ]);
  expect(pairs?.pairs.map(({ switches_there, switches_back }) => [switches_there, switches_back])).toEqual([
    [1, 2],
  ]);
});

test('a range with steps and parts of steps at its ends counts each switch once', async () => {
  const range = { start: START + 10 * MS + 250_000, end: START + 300 * MS + 7 };
  const { switches, groups } = await load(await pingPong(), { by: 'thread' }, range);
  expect(filled(switches)).toEqual({ 0: 7, 1: 1, 9: 1 });
  expect(groups.map(({ label, switches }) => [label, switches])).toEqual([
    [pong.label, 4],
    [ping.label, 3],
  ]);
});

test('pairs of parts of a range: what happens between these does not count', async () => {
  const { tables } = dataOf(await pingPong());
  const bounds = { range_start: START + 10 * MS, range_end: START + 12 * MS };
  const counted = await countPairs(tables, { ...bounds, bucket_ns: 200_000, window_ns: 100_000 }, null, 10);
  expect(counted.count).toBe(1);
  expect(counted.pairs.map(({ a, b, ...counts }) => ({ ...counts, isRising: a < b }))).toEqual([
    { switches_there: 0, switches_back: 4, wakes_there: 5, wakes_back: 0, isRising: true },
  ]);
});

test('without context switches it says what records them', async () => {
  const query = await queryOf(
    new TraceWriter()
      .start(START, START)
      .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end })
      .fact(whole.end, 'etw.end'),
  );
  const { notes, groups, kernel } = await load(query);
  expect([notes, groups, kernel]).toEqual([
    [
      'No context switches were recorded: how often CPUs switched is not known. Record with the kernel flags CSWITCH and PROFILE (in WPR: the CPU profile).',
    ],
    [],
    null,
  ]);
});

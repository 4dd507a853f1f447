import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { WHYS } from '../../shared/why-late/index.ts';
import { loadWithMeanwhile } from '../../views/ready-latency/testing.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const START = 1_000_000_000;
const whole = { start: START, end: START + 1.7e9 };

/** What the simulator says of the waits: its scheduler knows why it did not run a thread. */
const Truth = v.object({
  waits: v.array(
    v.object({
      process: v.string(),
      tid: v.number(),
      ready_ns: v.number(),
      ready_dur_ns: v.number(),
      shares_ns: v.record(v.picklist(WHYS), v.number()),
    }),
  ),
});

/** Within a tick of 100 ns the converter moves events to keep them in order. */
const toTicks = (ns: number) => Math.round(ns / 100);

describeReal('a ready wait for each reason', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const truthPath = join(folder, 'verdicts.json');
  let query: Query;
  let truth: v.InferOutput<typeof Truth>['waits'];
  let verdicts: Awaited<ReturnType<typeof judge>>;

  const load = (given: Readonly<Record<string, unknown>>) =>
    loadWithMeanwhile(query, readParams(readyLatency.params, given), whole);

  /** The waits of the truth as the table lists them, and chosen one by one. */
  async function judge() {
    const { waits } = await load({});
    const judged = [];
    for (const { tid, ready_ns } of truth) {
      const listed = waits.find((wait) => wait.tid === tid && toTicks(wait.ts - START) === toTicks(ready_ns));
      const { meanwhile } = await load({ wait_ts: listed?.ts, wait_tid: tid });
      judged.push({ listed, meanwhile });
    }
    return judged;
  }

  beforeAll(async () => {
    const path = writeTrace(join(folder, 'verdicts.etl'), 'verdicts', '--truth', truthPath);
    const { id } = await host.open(path, {});
    query = makeQuery((sql) => host.query(id, sql));
    truth = v.parse(Truth, JSON.parse(readFileSync(truthPath, 'utf8'))).waits;
    verdicts = await judge();
  });

  test('has the shares that the scheduler knows of, to the tick', () => {
    const judged = verdicts.map(({ listed, meanwhile }) => ({
      process: listed?.process,
      tid: listed?.tid,
      ready: toTicks(Number(listed?.ts) - START),
      dur: toTicks(Number(listed?.dur)),
      shares: Object.fromEntries(meanwhile?.verdict.shares.map(({ why, ns }) => [why, toTicks(ns)]) ?? []),
    }));
    const known = truth.map(({ process, tid, ready_ns, ready_dur_ns, shares_ns }) => ({
      process,
      tid,
      ready: toTicks(ready_ns),
      dur: toTicks(ready_dur_ns),
      shares: Object.fromEntries(Object.entries(shares_ns).map(([why, ns]) => [why, toTicks(ns)])),
    }));
    // Two are more than a trace can tell: what a CPU did before its first switch, and that a delay without any trace
    // had ended when the CPU began to wake up.
    const [first, ...others] = known;
    const expected = others.map((wait) =>
      wait.process === 'unexplained.exe' ? { ...wait, shares: { not_explained: wait.dur } } : wait,
    );
    expect(judged).toEqual([{ ...first, shares: { not_recorded: first?.dur } }, ...expected]);
  });

  test('is told in plain words', () => {
    const told = verdicts.map(
      ({ listed, meanwhile }) => `${listed?.process}: ${meanwhile?.verdict.sentence}`,
    );
    expect(told).toMatchInlineSnapshot(`
      [
        "rank.exe: Not explained: for 8.00 µs (100.0 % of the wait) it is not recorded what ran on each CPU, or at which rank.",
        "rank.exe: Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 3.40 µs (100.0 % of the wait) to run it.",
        "rank.exe: Rank is why: for 50.0 ms (100.0 % of the wait) both CPUs ran threads that went first, at least one of them by its better rank alone, at a priority below 14.",
        "priority.exe: Priority is why: for 40.0 ms (100.0 % of the wait) both CPUs ran threads of priority 8 or higher and no worse rank.",
        "affinity.exe: Affinity is why: it may run on CPU 0 only. For 40.0 ms (100.0 % of the wait) threads that went first ran there, while another CPU was free.",
        "dpc.exe: A DPC or interrupt is why: for 7.00 ms (100.0 % of the wait) it held the CPU that the thread would have run on. No thread runs on a CPU meanwhile.",
        "frozen.exe: Freezing is why: for 20.0 ms (100.0 % of the wait) its process was frozen. Windows runs no thread of a frozen process.",
        "swapped.exe: Swapping is why: its kernel stack or process was not in memory when it was readied, and had to be read in first. That took 5.00 ms (99.9 % of the wait).",
        "idle-wake.exe: Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 2.70 µs (100.0 % of the wait) to run it.",
        "unexplained.exe: Not explained: for 30.0 ms (100.0 % of the wait) a CPU was idle or ran a thread that had to yield to it, and nothing recorded tells why that CPU did not run it.",
        "preempting.exe: Preemption delay is why: it took 1.60 µs (100.0 % of the wait) to put aside a thread that had to yield to it.",
        "overtaken.exe: Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 2.90 µs (100.0 % of the wait) to run it.",
        "overtaken.exe: Idle wake-up is why: CPU 0, idle until then (C-state 0), was free for it and took 4.50 µs (100.0 % of the wait) to run it.",
        "reused.exe: Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 5.60 µs (100.0 % of the wait) to run it.",
        "reuser.exe: Priority is why: for 39.0 ms (100.0 % of the wait) both CPUs ran threads of priority 8 or higher and no worse rank.",
        "mixed.exe: Priority is why: for 30.0 ms (75.0 % of the wait) both CPUs ran threads of priority 8 or higher and no worse rank. The rest: process frozen 25.0 %.",
        "rank.exe: Idle wake-up is why: CPU 0, idle until then (C-state 2), was free for it and took 4.10 µs (100.0 % of the wait) to run it.",
      ]
    `);
  });

  test('adds up what each CPU did', () => {
    const added = verdicts.flatMap(({ listed, meanwhile }) => {
      if (meanwhile === null) return [];
      const { cpu_ns, usable_cpus, main } = meanwhile.verdict;
      const times = Object.entries(cpu_ns).filter(([, ns]) => ns > 0);
      const sum_ns = times.reduce((sum, [, ns]) => sum + ns, 0);
      expect(sum_ns).toBe(meanwhile.wait.dur * meanwhile.cpu_count);
      const on = usable_cpus === null ? 'any CPU' : `CPU ${usable_cpus.join()}`;
      return [`${listed?.process}, ${main}, ${on}: ${times.map(([time, ns]) => `${time} ${ns}`).join(', ')}`];
    });
    expect(added).toMatchInlineSnapshot(`
      [
        "rank.exe, not_explained, any CPU: not_recorded 16000",
        "rank.exe, idle_wake_up, any CPU: idle 3400, not_recorded 3400",
        "rank.exe, rank, any CPU: better_rank 100000000",
        "priority.exe, priority, any CPU: priority 80000000",
        "affinity.exe, affinity, CPU 0: priority 40000000, elsewhere 40000000",
        "dpc.exe, interrupt, any CPU: idle 7000199, interrupt 7000001",
        "frozen.exe, frozen, any CPU: idle 40012000",
        "swapped.exe, swapped_out, any CPU: idle 10008000",
        "idle-wake.exe, idle_wake_up, any CPU: idle 5400",
        "unexplained.exe, not_explained, any CPU: idle 60017000",
        "preempting.exe, preemption_delay, any CPU: behind 3200",
        "overtaken.exe, idle_wake_up, any CPU: idle 5800",
        "overtaken.exe, idle_wake_up, any CPU: idle 8998",
        "reused.exe, idle_wake_up, any CPU: idle 11200",
        "reuser.exe, priority, any CPU: priority 77997192",
        "mixed.exe, priority, any CPU: priority 80000000",
        "rank.exe, idle_wake_up, any CPU: idle 8200",
      ]
    `);
  });

  test('is estimated by the same rules for the table', () => {
    const compared = verdicts.map(({ listed, meanwhile }) => ({
      estimated: listed?.why_late,
      exact: meanwhile?.verdict.main,
    }));
    expect(compared.map(({ estimated }) => estimated)).toEqual(compared.map(({ exact }) => exact));
  });

  test('begins at the switch-out where the ready event came before it, and knows two threads of one id apart', async () => {
    const sql = `SELECT t.tid, t.process_name, (w.ts - 1000000000) / 100 AS ready, w.cause, h.blocked_ns
      FROM etw_ready_wait AS w JOIN etw_ready_wait_history AS h USING (ts, utid) JOIN etw_thread AS t USING (utid)
      WHERE t.tid IN (2904, 3004) ORDER BY w.ts`;
    expect([...(await query(sql)).rows()]).toMatchInlineSnapshot(`
      [
        {
          "blocked_ns": null,
          "cause": "wake",
          "process_name": "overtaken.exe",
          "ready": 10100000,
          "tid": 2904,
        },
        {
          "blocked_ns": 1,
          "cause": "wake",
          "process_name": "overtaken.exe",
          "ready": 10110059,
          "tid": 2904,
        },
        {
          "blocked_ns": null,
          "cause": "wake",
          "process_name": "reused.exe",
          "ready": 11020000,
          "tid": 3004,
        },
        {
          "blocked_ns": null,
          "cause": "wake",
          "process_name": "reuser.exe",
          "ready": 11210014,
          "tid": 3004,
        },
      ]
    `);
  });
});

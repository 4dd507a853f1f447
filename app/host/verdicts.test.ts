import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as v from 'valibot';
import { makeQuery, type Query } from '../../shared/engine/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { WHYS } from '../../shared/why-late/index.ts';
import { readyLatency } from '../../views/ready-latency/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

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
    readyLatency.load(query, readParams(readyLatency.params, given), whole);

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
    expect(told).toMatchInlineSnapshot();
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
    expect(added).toMatchInlineSnapshot();
  });

  test('is estimated by the same rules for the table', () => {
    const compared = verdicts.map(({ listed, meanwhile }) => ({
      estimated: listed?.why_late,
      exact: meanwhile?.verdict.main,
    }));
    expect(compared.map(({ estimated }) => estimated)).toEqual(compared.map(({ exact }) => exact));
  });

  test('begins at the switch-out where the ready event came before it, and knows two threads of one id apart', async () => {
    const sql = `SELECT t.tid, t.process_name, (w.ts - 1000000000) / 100 AS ready, w.cause, h.blocked_ns, r.te = w.ts AS at_switch_out
      FROM etw_ready_wait AS w JOIN etw_ready_wait_history AS h USING (ts, utid) JOIN etw_thread AS t USING (utid)
      LEFT JOIN etw_run AS r ON r.te <= w.ts AND r.te > w.ts - 1000 AND r.utid = w.utid
      WHERE t.tid IN (2904, 3004) ORDER BY w.ts`;
    expect([...(await query(sql)).rows()]).toMatchInlineSnapshot();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runRules, shippedRules } from '../../shared/findings/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { exitsOf, type ProcessesModel } from '../../views/processes/model.ts';
import { processes } from '../../views/processes/view.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

/** What `outrank-synth exit-storm --truth` says of its exits. */
interface StormTruth {
  readonly suite_ns: number;
  readonly exits: readonly {
    readonly pid: number;
    readonly begin_ns: number;
    readonly end_ns: number;
    readonly handed: { readonly ns: number; readonly by_pid: number } | null;
  }[];
  readonly input_tid: number;
  readonly input_waited_ns: number;
}

const START = 1_000_000_000;
const RANGE = { start: START, end: START + 10_000_000_000 };
/** What is recorded in ticks of 100 ns is moved by less than that, to have unique times. */
const tick = (ts: number) => Math.floor((ts - START) / 100) * 100;

/** The exits as the truth tells them: who was handed the lock waited for it. */
function toldOf({ exits }: StormTruth) {
  return exits.map(({ pid, begin_ns, end_ns, handed }) => ({
    pid,
    begin_ns,
    end_ns,
    handed_ns: handed?.ns ?? null,
    by: handed === null ? null : `(tid ${handed.by_pid + 4})`,
  }));
}

function seenIn(model: ProcessesModel) {
  return [...exitsOf(model)]
    .sort((a, b) => a.exit.ts + a.exit.dur - b.exit.ts - b.exit.dur)
    .map(({ pid, exit: { ts, dur, wait } }) => ({
      pid,
      begin_ns: tick(ts),
      end_ns: tick(ts + dur),
      handed_ns: wait === null ? null : tick(wait.ts + wait.dur),
      by: wait === null ? null : (/\(tid \d+\)/.exec(wait.let_go_by)?.[0] ?? null),
    }));
}

describeReal('a test suite that kills its processes all at once', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  async function looked(locked: number) {
    const path = join(folder, `${locked}.etl`);
    const truthPath = join(folder, `${locked}.json`);
    writeTrace(path, 'exit-storm', '--locked', String(locked), '--truth', truthPath);
    const { id } = await host.open(path, {});
    const query = makeQuery((sql) => host.query(id, sql));
    const { exit_storm: truth } = JSON.parse(readFileSync(truthPath, 'utf8')) as { exit_storm: StormTruth };
    const params = readParams(processes.params, {});
    const first = await processes.load(query, params, RANGE);
    const model = (await processes.later?.load(query, params, RANGE, first)) ?? first;
    const rule = shippedRules.filter(({ name }) => name === 'serialised-exits.sql');
    return { truth, model, found: (await runRules(query, rule, RANGE)).findings };
  }

  test('every exit is what the truth says, and all but the first queue behind one lock', async () => {
    const { truth, model, found } = await looked(1000);
    expect(seenIn(model)).toEqual(toldOf(truth));
    expect(model.queues.map(({ exits, reason, reason_exits }) => [exits, reason, reason_exits])).toEqual([
      [999, 'WrResource', 999],
    ]);
    const input = model.waiters.find(({ tid }) => tid === truth.input_tid);
    expect(Math.abs((input?.longest_ns ?? 0) - truth.input_waited_ns)).toBeLessThan(100_000);
    expect(found.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^999 processes ended one at a time within 1\.8\d\d s, 1\.8\d ms each/),
    ]);
  });

  test('where ten need the lock, nine wait for it, too few for a finding, and the suite takes a fifth', async () => {
    const [calm, storm] = [await looked(10), await looked(1000)];
    expect(seenIn(calm.model)).toEqual(toldOf(calm.truth));
    expect(calm.model.queues.map(({ exits }) => exits)).toEqual([9]);
    expect(calm.found).toEqual([]);
    expect(storm.truth.suite_ns / calm.truth.suite_ns).toBeGreaterThan(4);
  });
});

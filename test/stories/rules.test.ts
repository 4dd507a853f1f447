import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRules, shippedRules, type Finding } from '../../shared/findings/index.ts';
import type { Host, OpenOptions } from '../../app/host/api.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { ruleCases } from './rule-cases.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';
import { summariseTrace } from '../../app/host/trace-summary.ts';
import { dataOf } from '../../shared/tables/index.ts';

const rules = shippedRules.map((file) => ({ id: file.name.replace(/\.sql$/, ''), file }));

/** Rules whose two traces are in shared/findings. */
const TRIED_THERE = ['bimodal-waits', 'blame-above-bound', 'migration', 'preemption', 'slow-disk'];
const tried = rules.filter(({ id }) => !TRIED_THERE.includes(id));

test('each rule that comes with Outrank has a trace in which it holds, and one in which it just does not', () => {
  expect(Object.keys(ruleCases).sort()).toEqual(tried.map(({ id }) => id).sort());
});

describeReal('rules on traces whose truth is known', () => {
  const folder = temporaryFolder();
  const caches = temporaryFolder();
  const whole = startHost(join(caches, 'whole'));
  const outline = startHost(join(caches, 'outline'));

  test.each(tried)('$id: holds, and just does not, also without the whole trace', async ({ id, file }) => {
    const rule = ruleCases[id];
    if (rule === undefined) throw new Error(`${id} has no case`);
    const store = join(folder, 'store');

    async function findings(name: string, scenario: readonly string[]): Promise<readonly Finding[]> {
      const pdbs = rule?.needs_symbols === true ? ['--pdbs', store] : [];
      const path = writeTrace(join(folder, `${id}-${name}.etl`), ...scenario, ...pdbs);
      const found = await findingsOf(whole, path, {}, pdbs.length > 0);
      expect(await findingsOf(outline, path, { columns: true }, pdbs.length > 0)).toEqual(found);
      return found;
    }

    async function findingsOf(
      host: Host,
      path: string,
      opening: OpenOptions,
      hasSymbols: boolean,
    ): Promise<readonly Finding[]> {
      const opened = await host.open(path, opening);
      if (hasSymbols) await host.loadSymbols(opened.id, store, {});
      const trace = { ...opened, hasSymbols };
      const query = hostQuery(host, trace);
      const { range } = (await summariseTrace(dataOf(query).tables)) ?? { range: { start: 0, end: 0 } };
      const { findings, checked, not_checked, failed } = await runRules(query, [file], range);
      expect({ checked: checked.map(({ id }) => id), not_checked, failed }).toEqual({
        checked: [id],
        not_checked: [],
        failed: [],
      });
      await host.close(trace.id);
      return findings;
    }

    expect(await findings('holds', rule.holds)).toEqual([rule.found]);
    expect(await findings('just-not', rule.just_not)).toEqual([]);
    const entries = readdirSync(join(caches, 'outline', 'traces'));
    expect(entries.filter((entry) => !entry.endsWith('-outline'))).toEqual([]);
  });
});

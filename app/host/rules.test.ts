import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeQuery } from '../../shared/engine/index.ts';
import { runRules, shippedRules, type Finding } from '../../shared/findings/index.ts';
import { ruleCases } from './testing/rule-cases.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';
import { summariseTrace } from './trace-summary.ts';

const rules = shippedRules.map((file) => ({ id: file.name.replace(/\.sql$/, ''), file }));

test('each rule that comes with Outrank has a trace in which it holds, and one in which it just does not', () => {
  expect(Object.keys(ruleCases).sort()).toEqual(rules.map(({ id }) => id).sort());
});

describeReal('rules on traces whose truth is known', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  test.each(rules)('$id: holds, and just does not', async ({ id, file }) => {
    const rule = ruleCases[id];
    if (rule === undefined) throw new Error(`${id} has no case`);
    const store = join(folder, 'store');

    async function findings(name: string, scenario: readonly string[]): Promise<readonly Finding[]> {
      const pdbs = rule?.needs_symbols === true ? ['--pdbs', store] : [];
      const trace = await host.open(writeTrace(join(folder, `${id}-${name}.etl`), ...scenario, ...pdbs), {});
      if (pdbs.length > 0) await host.loadSymbols(trace.id, store, {});
      const query = makeQuery((sql) => host.query(trace.id, sql));
      const { range } = (await summariseTrace(query)) ?? { range: { start: 0, end: 0 } };
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
  });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outrank } from './support/outrank.ts';
import { demo, Scratch } from './support/places.ts';

const scratch = new Scratch();
afterAll(() => scratch.remove());
const cache = scratch.path('cache');

/** Bytes without any pattern, the same in every run. */
function randomBytes(count: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

beforeAll(() => {
  writeFileSync(scratch.path('empty.etl'), '');
  writeFileSync(scratch.path('text.etl'), 'This is not a trace.\n'.repeat(1000));
  writeFileSync(scratch.path('random.etl'), randomBytes(300_000));
  writeFileSync(scratch.path('header-cut.etl'), readFileSync(demo.trace).subarray(0, 50));
});

describe.each(['empty.etl', 'text.etl', 'random.etl', 'header-cut.etl', 'missing.etl'])('%s', (name) => {
  const output = scratch.path(`${name}.pftrace`);
  test.each([
    ['convert', [scratch.path(name), '-o', output]],
    ['info', [scratch.path(name)]],
    ['query', [scratch.path(name), '--sql', 'SELECT 1']],
    ['view', ['ready-latency', scratch.path(name)]],
  ])('outrank %s says in one line what is wrong, and leaves nothing', async (command, args) => {
    const { code, stdout, stderr } = await outrank(cache, command, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^outrank[^\\n]*${name}[^\\n]+\\n$`));
    expect(existsSync(output)).toBe(false);
  });
});

test('a truncated trace is converted as far as it goes, and the loss is stated', async () => {
  const whole = readFileSync(demo.trace);
  const trace = scratch.path('truncated.etl');
  writeFileSync(trace, whole.subarray(0, Math.floor(whole.length / 2) + 123));

  const converted = await outrank(cache, 'convert', trace, '-o', scratch.path('truncated.pftrace'));
  expect(converted.code).toBe(3);
  expect(converted.stderr).toContain('truncated');

  // Each CPU but the one with the last event may lack some.
  const sql = `SELECT SUM(message LIKE '%file cut%') AS cuts, COUNT(DISTINCT cpu) AS cpus
    FROM etw_loss WHERE kind = 'truncated'`;
  const asked = await outrank(cache, 'query', trace, '--sql', sql, '--format', 'json');
  expect(asked.code).toBe(3);
  expect(JSON.parse(asked.stdout)).toEqual([{ cuts: 1, cpus: 7 }]);
  expect(asked.stderr).toContain('truncated');
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProcessor } from '../../shared/engine/testing/start.ts';
import { etwModules } from '../../shared/sql/index.ts';
import { readInfo } from './overview.ts';
import { describeReal, places, temporaryFolder, writeTrace } from './testing/real.ts';

const CHUNK_BYTES = 1 << 20;

/** Whether an engine of so many bytes takes a trace and all tables of it. */
async function fits(trace: Uint8Array, memory_bytes: number): Promise<boolean> {
  const processor = await startProcessor(memory_bytes);
  try {
    for (let at = 0; at < trace.length; at += CHUNK_BYTES)
      processor.append(trace.subarray(at, at + CHUNK_BYTES));
    processor.finalize();
    processor.register('etw', etwModules);
    for (const { name } of etwModules) processor.query(`INCLUDE PERFETTO MODULE ${name};`);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/memory/);
    return false;
  }
}

/** What a trace without events takes. */
const EMPTY_BYTES = 64e6;
/** What a trace may take of what is estimated: too low an estimate would end the engine, too high a one only offers a part sooner. */
const LEAST_SHARE = 0.65;
const MOST_SHARE = 1.2;

describeReal('what the host says that a trace takes of the engine', () => {
  const folder = temporaryFolder();

  function converted(...scenario: string[]): { trace: Uint8Array; estimate_bytes: number } {
    const etl = writeTrace(join(folder, `${scenario.join(' ')}.etl`), ...scenario);
    const output = `${etl}.pftrace`;
    execFileSync(places.converter, ['--progress', 'none', '-o', output, etl], { stdio: 'pipe' });
    const told = execFileSync(places.converter, ['info', '--json', etl], {
      maxBuffer: 1 << 28,
      encoding: 'utf8',
    });
    const choices = readInfo(told, 0)?.choices ?? [];
    const estimate_bytes = choices.reduce((sum, { engine_bytes }) => sum + engine_bytes, 0);
    return { trace: readFileSync(output), estimate_bytes };
  }

  test.each([
    ['switches', '200000'],
    ['switch-storm', '200000'],
    ['generic', '150000'],
    ['io', '60000'],
  ])(
    'is near what it takes: %s',
    async (scenario, count) => {
      const { trace, estimate_bytes } = converted(scenario, '--count', count);
      expect(await fits(trace, EMPTY_BYTES + MOST_SHARE * estimate_bytes)).toBe(true);
      expect(await fits(trace, EMPTY_BYTES + LEAST_SHARE * estimate_bytes)).toBe(false);
    },
    600_000,
  );
});

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LakeAsk } from '../../../shared/lake/index.ts';
import { temporaryFolder } from '../../host/testing/real.ts';
import { storeTrace } from '../lake/add.ts';
import { startDuckDB } from '../lake/duckdb.ts';
import { Lake } from '../lake/lake.ts';
import { BOUNDS } from '../testing/contents.ts';
import { sampleTrace, type Sample } from '../testing/rows.ts';
import { LocalDesk } from './desk.ts';

const SAMPLES: readonly Sample[] = Array.from({ length: 6 }, (_, number) => ({
  number,
  build: number < 2 ? '1' : '2',
  date: `2026-01-0${number + 1}`,
  machine: number % 2 === 0 ? 'even' : 'odd',
}));
const LATER: Sample = { number: 99, build: '10' };
const IDS = [...SAMPLES, LATER].map((sample) => sampleTrace(sample).id);
const NONE = { traces: new Map<string, never>(), forgotten: new Set<string>() };

const folder = temporaryFolder();
const address = join(folder, 'lake');
const options = {
  address,
  memoryBytes: 256 << 20,
  threads: 1,
  copies: join(folder, 'copies'),
  bounds: BOUNDS,
};
const hidden = new Set<string>();
const desk = new LocalDesk({
  ...options,
  visible: () => Promise.resolve(new Set(IDS.filter((id) => !hidden.has(id)))),
});
beforeAll(() => add(SAMPLES));
afterAll(() => desk.end());

async function add(samples: readonly Sample[]): Promise<void> {
  const lake = await Lake.open(address, { create: true });
  const duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
  for (const sample of samples)
    await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, sampleTrace(sample), NONE);
  await duckdb.end();
}

/** The builds of the traces that a filter leaves, with how many have them. */
async function builds(filter: LakeAsk['filter']): Promise<readonly unknown[]> {
  const { model } = await desk.ask({ question: 'trend-by-build', params: {}, filter });
  return model.rows.map((cells) => [cells[0], cells[model.columns.findIndex(({ name }) => name === 'n')]]);
}

test('it tells what is in a lake, and by what its traces can be told apart', async () => {
  const { traces, lossy, tags, from, to, questions, machines } = await desk.about();
  expect({ traces, lossy, tags, from, to }).toEqual({
    traces: 6,
    lossy: 0,
    tags: {
      build: [
        { value: '2', traces: 4 },
        { value: '1', traces: 2 },
      ],
    },
    from: '2026-01-01',
    to: '2026-01-06',
  });
  expect(machines.map((each) => each.traces)).toEqual([3, 3]);
  expect(questions.map(({ id }) => id)).toContain('machines-by-finding');
});

test('a filter leaves the traces to which all of it applies', async () => {
  const [machine] = (await desk.about()).machines;
  expect(await builds({})).toEqual([
    ['1', 2],
    ['2', 4],
  ]);
  expect(await builds({ tags: { build: '2' } })).toEqual([['2', 4]]);
  expect(await builds({ from: '2026-01-02', to: '2026-01-03' })).toEqual([
    ['1', 1],
    ['2', 1],
  ]);
  expect(await builds({ machine: machine?.value ?? '' })).toEqual([
    ['1', 1],
    ['2', 2],
  ]);
  expect(await builds({ tags: { build: "2' OR true --" } })).toEqual([]);
});

test('a trace that may not be seen is not counted, whatever its rows are', async () => {
  hidden.add(IDS[0] ?? '');
  expect((await desk.about()).traces).toBe(5);
  expect(await builds({})).toEqual([
    ['1', 1],
    ['2', 4],
  ]);
  hidden.clear();
});

test('questions that are not known, and wrong params, are refused in words', async () => {
  await expect(desk.ask({ question: 'what', params: {}, filter: {} })).rejects.toThrow(
    'no question is called "what"',
  );
  const wrong = desk.ask({ question: 'trend-by-build', params: { quantile: 'x' }, filter: {} });
  await expect(wrong).rejects.toThrow('parameter "quantile" takes a number');
  await expect(new LocalDesk({ ...options, address: join(folder, 'none') }).about()).rejects.toThrow(
    'there is no lake',
  );
});

test('what was added is there once the desk hears of it', async () => {
  await add([LATER]);
  expect((await desk.about()).traces).toBe(6);
  desk.changed();
  expect((await desk.about()).traces).toBe(7);
  // Builds that are numbers stand in the order of these.
  expect(await builds({})).toEqual([
    ['1', 2],
    ['2', 4],
    ['10', 1],
  ]);
});

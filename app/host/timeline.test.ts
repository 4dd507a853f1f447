import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import {
  LaneSums,
  loadJudgedLanes,
  STATES,
  stateOf,
  utidOf,
  VALUE_COUNT,
  type Lane,
} from '../../shared/timeline/index.ts';
import { hostQuery } from './host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

/** What `outrank-synth random --truth` says of a machine. */
interface Truth {
  readonly cpu_count: number;
  readonly random: {
    readonly end_ns: number;
    readonly runs: readonly {
      readonly cpu: number;
      readonly tid: number;
      readonly start_ns: number;
      readonly end_ns: number;
    }[];
    readonly waits: readonly {
      readonly tid: number;
      readonly ready_ns: number;
      readonly switch_in_ns: number | null;
    }[];
  };
}

const START_TS = 1_000_000_000;
const PIXELS = 97;
/** Seeds of the random machines: `OUTRANK_SEEDS=31-90 npx vitest run app/host/timeline.test.ts` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-4').split('-').map(Number);

/** How long what was from one time to another was within each pixel. */
function sumTruth(
  spans: readonly (readonly [number, number])[],
  start: number,
  pixel_ns: number,
): Float64Array {
  return Float64Array.from({ length: PIXELS }, (_, pixel) =>
    spans.reduce((sum, [from, to]) => {
      const ns = Math.min(to, start + (pixel + 1) * pixel_ns) - Math.max(from, start + pixel * pixel_ns);
      return sum + Math.max(0, ns);
    }, 0),
  );
}

const ofState = {
  ofValue: Uint8Array.from({ length: VALUE_COUNT }, (_, value) => STATES.indexOf(stateOf(value))),
  count: STATES.length,
};

/** How long a class of a lane held in each pixel. */
function sumLane(
  lane: Lane,
  classes: ConstructorParameters<typeof LaneSums>[1],
  of: number,
  start: number,
  pixel_ns: number,
): Float64Array {
  const all = new Float64Array(PIXELS * classes.count);
  new LaneSums(lane, classes).addPixels(start, pixel_ns, PIXELS, all);
  return Float64Array.from({ length: PIXELS }, (_, pixel) => all[pixel * classes.count + of] ?? NaN);
}

function expectSame(found: Float64Array, truth: Float64Array, what: string): void {
  const apart = found.reduce((most, ns, pixel) => Math.max(most, Math.abs(ns - (truth[pixel] ?? 0))), 0);
  // Where events share a tick, the converter keeps them apart by some ns.
  expect(apart, what).toBeLessThan(100);
}

async function threadsByTid(query: Query): Promise<ReadonlyMap<number, readonly number[]>> {
  const utids = new Map<number, number[]>();
  for await (const { rowCount, columns } of dataOf(query).tables.batches('etw_thread', ['utid', 'tid'])) {
    for (let row = 0; row < rowCount; row++) {
      const tid = columns.tid.values[row] ?? 0;
      utids.set(tid, [...(utids.get(tid) ?? []), columns.utid.values[row] ?? 0]);
    }
  }
  return utids;
}

/** Numbers from 0 to 1 that look random and are the same each time. */
function* randomFrom(seed: number): Generator<number, never> {
  for (let state = seed * 2654435761; ;) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    yield state / 2 ** 32;
  }
}

describeReal('lanes of random machines', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));

  const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  test.each(seeds)('have in each pixel what is true, at random zooms: seed %i', async (seed) => {
    const truthPath = join(folder, `${seed}.json`);
    const path = writeTrace(
      join(folder, `${seed}.etl`),
      ...['random', '--seed', String(seed), '--truth', truthPath],
    );
    const { cpu_count, random: truth } = JSON.parse(readFileSync(truthPath, 'utf8')) as Truth;
    // By SQL the lanes are made by the same code, of the same rows.
    for (const columns of seed === first ? [true, false] : [true]) {
      const opened = await host.open(path, { columns });
      const query = hostQuery(host, opened);
      const lanes = await loadJudgedLanes(query);
      const utids = await threadsByTid(query);
      const random = randomFrom(seed);
      for (let zoom = 0; zoom < 6; zoom++) {
        const length_ns = truth.end_ns * random.next().value ** 3;
        const start = START_TS + (truth.end_ns - length_ns) * random.next().value;
        const pixel_ns = length_ns / PIXELS;
        for (let cpu = 0; cpu < cpu_count; cpu++) {
          const lane = lanes.cpus[cpu];
          if (lane === undefined) throw new Error(`CPU ${cpu} has no lane`);
          for (const [tid, of] of utids) {
            const ofThread = Uint8Array.from({ length: 4096 }, (_, value) =>
              of.includes(utidOf(value) ?? -1) ? 1 : 0,
            );
            const found = sumLane(lane, { ofValue: ofThread, count: 2 }, 1, start, pixel_ns);
            const runs = truth.runs.filter((run) => run.cpu === cpu && run.tid === tid);
            const spans = runs.map((run) => [START_TS + run.start_ns, START_TS + run.end_ns] as const);
            expectSame(found, sumTruth(spans, start, pixel_ns), `CPU ${cpu}, thread ${tid}, zoom ${zoom}`);
          }
        }
        for (const [tid, of] of utids) {
          if (tid === 0) continue;
          const runs = truth.runs.filter((run) => run.tid === tid);
          const waits = truth.waits.filter((wait) => wait.tid === tid);
          const spans = {
            running: runs.map((run) => [START_TS + run.start_ns, START_TS + run.end_ns] as const),
            ready: waits.map(
              (wait) => [START_TS + wait.ready_ns, START_TS + (wait.switch_in_ns ?? truth.end_ns)] as const,
            ),
          };
          for (const state of ['running', 'ready'] as const) {
            const found = new Float64Array(PIXELS);
            for (const utid of of) {
              const lane = lanes.threads.get(utid)?.lane;
              if (lane === undefined) continue;
              const sums = sumLane(lane, ofState, STATES.indexOf(state), start, pixel_ns);
              sums.forEach((ns, pixel) => (found[pixel] = (found[pixel] ?? 0) + ns));
            }
            expectSame(found, sumTruth(spans[state], start, pixel_ns), `${state} of ${tid}, zoom ${zoom}`);
          }
        }
      }
      await host.close(opened.id);
    }
  });
});

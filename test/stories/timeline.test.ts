import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import {
  LaneSums,
  loadJudgedWaits,
  loadLanes,
  ROWS,
  STATES,
  stateOf,
  utidOf,
  VALUE_COUNT,
  type Lane,
  type Lanes,
} from '../../shared/timeline/index.ts';
import { THREAD_CLASSES } from '../../views/timeline/classes.ts';
import type { PixelsAnswer } from '../../views/timeline/questions.ts';
import { timeline } from '../../views/timeline/view.ts';
import { hostQuery } from '../../app/host/host-query.ts';
import { readTruth, START, type RandomTruth } from './random/truth.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from '../../app/host/testing/real.ts';

const PIXELS = 97;
/** Less is an error of rounding. */
const SHORTEST_NS = 1e-3;
/** Seeds of the random machines: `OUTRANK_SEEDS=31-90 npx vitest run test/stories/timeline.test.ts` tries others. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1-4').split('-').map(Number);

/** The lanes with the causes of the longest ready waits. */
async function judgedLanes(query: Query): Promise<Lanes> {
  const lanes = await loadLanes(query);
  for (const { utid, ts, value } of await loadJudgedWaits(query)) {
    const lane = lanes.threads.get(utid)?.lane;
    expect(lane?.replace(ts, value)).toBe(true);
  }
  return lanes;
}

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

/** The whole, the beginning, the end, and whatever comes. */
function zoomsOf({ end_ns }: RandomTruth, seed: number) {
  const random = randomFrom(seed);
  return Array.from({ length: 6 }, (_, zoom) => {
    const all_ns = end_ns - START;
    const length_ns = zoom === 0 ? all_ns : all_ns * random.next().value ** 3;
    const place = zoom < 3 ? zoom - 1 : random.next().value;
    return { zoom, start: START + (all_ns - length_ns) * place, pixel_ns: length_ns / PIXELS };
  });
}

const STATES_DRAWN = ['running', 'ready', 'blocked', 'lost'] as const;
type SpansOf = Readonly<Record<(typeof STATES_DRAWN)[number], readonly (readonly [number, number])[]>>;

/** What the threads of each id did that ran or were ready, from what the machine knows of itself. */
function statesOf({ runs, runs_before, waits, threads, end_ns }: RandomTruth): ReadonlyMap<number, SpansOf> {
  const tids = new Set([...runs, ...waits].map(({ tid }) => tid));
  return new Map(
    [...tids].map((tid) => {
      const of = <Of extends { readonly tid: number }>(all: readonly Of[]) =>
        all.filter((one) => one.tid === tid);
      const running = of(runs).map((run) => [run.start_ns, run.end_ns ?? end_ns] as const);
      const ready = of(waits).map((wait) => [wait.ready_ns, wait.switch_in_ns ?? end_ns] as const);
      // An id may be given again, in the same process too: a thread that did neither has no track.
      const lives = of(threads)
        .map(({ life }) => ({ start: life.start_ns ?? START, end: life.end_ns ?? end_ns }))
        .filter(({ start, end }) => [...running, ...ready].some(([at]) => at >= start && at <= end));
      // Since when a thread had run that ran when the recording began, no event tells.
      const lost = of(runs_before)
        .filter((run) => lives.some(({ start, end }) => run.end_ns >= start && run.end_ns <= end))
        .map((run) => [START, run.end_ns] as const);
      const taken = [...running, ...ready, ...lost].sort(([a], [b]) => a - b);
      const blocked = lives.flatMap(({ start, end }) => {
        const free: (readonly [number, number])[] = [];
        let at = start;
        for (const [from, to] of taken) {
          if (to <= at || from >= end) continue;
          if (from > at) free.push([at, from]);
          at = Math.max(at, to);
        }
        return at < end ? [...free, [at, end] as const] : free;
      });
      return [tid, { running, ready, blocked, lost }] as const;
    }),
  );
}

/** What the timeline draws of some tracks: of each the class of each row of each pixel. */
async function picturesOf(
  query: Query,
  zoom: PixelsAnswer['zoom'],
  tracks: readonly { readonly key: string }[],
): Promise<readonly Uint8Array[]> {
  const question = { kind: 'pixels', zoom, tracks: tracks.map(({ key }) => key), judged: true, line: null };
  const { cells } = (await timeline.answer?.(query, question)) as PixelsAnswer;
  return tracks.map((_, track) => cells.subarray(track * ROWS * PIXELS, (track + 1) * ROWS * PIXELS));
}

/** Each state is as high as its share of the pixel, to a row for each colour; what is there at all, blocked time apart, has a row. */
function expectDrawn(
  picture: Uint8Array,
  spans: SpansOf,
  { start, pixel_ns }: PixelsAnswer['zoom'],
  sharesTicks: boolean,
  what: string,
): void {
  const truth = STATES_DRAWN.map((state) => sumTruth(spans[state], start, pixel_ns));
  for (let pixel = 0; pixel < PIXELS; pixel++) {
    const classes = Array.from({ length: ROWS }, (_, row) => picture[row * PIXELS + pixel] ?? 0);
    STATES_DRAWN.forEach((state, of) => {
      const ns = truth[of]?.[pixel] ?? 0;
      const rows = classes.filter((each) => THREAD_CLASSES[each]?.state === state).length;
      const name = `${state} of ${what}, pixel ${pixel}`;
      expect(Math.abs(rows - (ns / pixel_ns) * ROWS), name).toBeLessThanOrEqual(new Set(classes).size);
      // Where events share a tick, the converter moves them by some ns.
      if (sharesTicks) return;
      if (ns < SHORTEST_NS) expect(rows, name).toBe(0);
      else if (state !== 'blocked') expect(rows, name).toBeGreaterThan(0);
    });
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
    const truth = readTruth(truthPath);
    const known = statesOf(truth);
    // By SQL the lanes are made by the same code, of the same rows.
    for (const columns of seed === first ? [true, false] : [true]) {
      const opened = await host.open(path, { columns });
      const query = hostQuery(host, opened);
      const lanes = await judgedLanes(query);
      const utids = await threadsByTid(query);
      for (const { zoom, start, pixel_ns } of zoomsOf(truth, seed)) {
        for (let cpu = 0; cpu < truth.cpu_count; cpu++) {
          const lane = lanes.cpus[cpu];
          if (lane === undefined) throw new Error(`CPU ${cpu} has no lane`);
          for (const [tid, of] of utids) {
            const ofThread = Uint8Array.from({ length: 4096 }, (_, value) =>
              of.includes(utidOf(value) ?? -1) ? 1 : 0,
            );
            const found = sumLane(lane, { ofValue: ofThread, count: 2 }, 1, start, pixel_ns);
            const runs = truth.runs.filter((run) => run.cpu === cpu && run.tid === tid);
            const spans = runs.map((run) => [run.start_ns, run.end_ns ?? truth.end_ns] as const);
            expectSame(found, sumTruth(spans, start, pixel_ns), `CPU ${cpu}, thread ${tid}, zoom ${zoom}`);
          }
        }
        const drawn = [...known].flatMap(([tid, spans]) => {
          const of = utids.get(tid) ?? [];
          return of.length === 1 && tid !== 0 ? [{ key: `t${of[0]}`, spans }] : [];
        });
        const asked = { start, pixel_ns, pixels: PIXELS };
        const pictures = await picturesOf(query, asked, drawn);
        drawn.forEach(({ key, spans }, track) => {
          const picture = pictures[track] ?? new Uint8Array();
          expectDrawn(picture, spans, asked, truth.shares_ticks, `${key}, zoom ${zoom}`);
        });
        for (const [tid, of] of utids) {
          if (tid === 0) continue;
          const spans = known.get(tid);
          for (const state of STATES_DRAWN) {
            const found = new Float64Array(PIXELS);
            for (const utid of of) {
              const lane = lanes.threads.get(utid)?.lane;
              if (lane === undefined) continue;
              const sums = sumLane(lane, ofState, STATES.indexOf(state), start, pixel_ns);
              sums.forEach((ns, pixel) => (found[pixel] = (found[pixel] ?? 0) + ns));
            }
            expectSame(
              found,
              sumTruth(spans?.[state] ?? [], start, pixel_ns),
              `${state} of ${tid}, zoom ${zoom}`,
            );
          }
        }
      }
      await host.close(opened.id);
    }
  });

  test.each(seeds.filter((seed) => process.env.OUTRANK_SEEDS !== undefined || seed % 4 === 2))(
    'claim no more than is true where buffers were lost: seed %i',
    async (seed) => {
      const truthPath = join(folder, `${seed}-lost.json`);
      const path = writeTrace(
        join(folder, `${seed}-lost.etl`),
        ...['random', '--seed', String(seed), '--truth', truthPath, '--lose-buffers', '--events', '1500'],
      );
      const truth = readTruth(truthPath);
      expect(truth.lost_buffers).toBeGreaterThan(0);
      const opened = await host.open(path, { columns: true });
      const query = hostQuery(host, opened);
      const { threads } = await judgedLanes(query);
      const utids = await threadsByTid(query);
      let claimed_ns = 0;
      for (const { zoom, start, pixel_ns } of zoomsOf(truth, seed)) {
        for (const [tid, spans] of statesOf(truth)) {
          const [utid = -1, ...others] = utids.get(tid) ?? [];
          const lane = threads.get(utid)?.lane;
          if (tid === 0 || lane === undefined || others.length > 0) continue;
          // What ran when the recording began may be told by what came after it.
          const known = { ...spans, running: [...spans.running, ...spans.lost] };
          for (const state of ['running', 'ready', 'blocked'] as const) {
            // Of a wake in the tick of a run whose wait is hidden nothing tells whether it began that run or the next wait.
            if (state === 'ready' && truth.shares_ticks) continue;
            const found = sumLane(lane, ofState, STATES.indexOf(state), start, pixel_ns);
            const most = sumTruth(known[state], start, pixel_ns);
            const over = found.reduce((worst, ns, pixel) => Math.max(worst, ns - (most[pixel] ?? 0)), 0);
            expect(over, `${state} of ${tid}, zoom ${zoom}`).toBeLessThan(100);
            claimed_ns += found.reduce((sum, ns) => sum + ns, 0);
          }
        }
      }
      expect(claimed_ns).toBeGreaterThan(0);
      await host.close(opened.id);
    },
  );
});

import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { stillPalette } from '../kit/index.ts';
import type { PixelsAnswer, Stretch, WokenAnswer } from './questions.ts';
import { heldUp, MS, range, START } from './testing.ts';
import { coverWords, noWakerWords, wokenWords } from './track-words.ts';
import { timeline } from './view.ts';

const query = await queryOf(heldUp());

const ask = (question: unknown) => timeline.answer?.(query, question);
const load = (given: Readonly<Record<string, unknown>>) =>
  timeline.load(query, readParams(timeline.params, given), range);

test('a line tells the rank or the priority of a thread from where it was recorded', async () => {
  const { tracks, lines } = await load({ lines: 'rank', group: 'none' });
  expect(lines).toEqual({ of: 'rank', most: 2 });
  const keys = ['t20', 't9', 'c0'].map((name) => tracks.find((track) => track.name === name)?.key ?? '');
  const zoom = { start: START, pixel_ns: MS, pixels: 100 };
  const asked = { kind: 'pixels', zoom, tracks: keys, judged: false };
  const rank = (await ask({ ...asked, line: 'rank' })) as PixelsAnswer;
  // The app's run ends at 70 ms, at rank 2; values are one more.
  expect([69, 70, 99].map((pixel) => rank.lines[0]?.[2 * pixel])).toEqual([0, 3, 3]);
  expect([59, 60].map((pixel) => rank.lines[1]?.[2 * pixel])).toEqual([0, 1]);
  expect(rank.lines[2]).toBeNull();
  // The hog is switched in at priority 4 and leaves at 8.
  const priority = (await ask({ ...asked, line: 'priority' })) as PixelsAnswer;
  expect([9, 10, 59, 60].map((pixel) => priority.lines[1]?.[2 * pixel])).toEqual([0, 5, 5, 9]);
  expect(priority.numbers.map(({ track, texts }) => [track, texts])).toContainEqual([1, ['8']]);
});

test('a link to a wait finds it again, whether its track is open or not', async () => {
  const wait = { kind: 'thread', tid: 20, start: START + 20 * MS, end: START + 60 * MS };
  const found = (await ask(wait)) as Stretch;
  expect([found.title, found.ts, found.te]).toEqual([
    'app.exe (tid 20, UI): ready: rank',
    START + 20 * MS,
    START + 60 * MS,
  ]);
  expect(await ask({ ...wait, tid: 77 })).toBeNull();
});

test('a run is shown on its thread and on its CPU, and tells whom it woke', async () => {
  const run = (await ask({
    kind: 'thread',
    tid: 9,
    start: START + 10 * MS,
    end: START + 60 * MS,
  })) as Stretch;
  const utid = run.thread?.utid ?? -1;
  expect(run.also).toEqual([`t${utid}`, 'c0', 'q0', 'r0']);
  const woken = (await ask({ kind: 'wakes', utid, start: run.ts, end: run.te })) as WokenAnswer;
  expect(woken).toMatchObject({ count: 1, threads: 1, wakes: [{ ts: START + 20 * MS }] });
  expect([wokenWords(woken), wokenWords({ ...woken, count: 1200, threads: 3 })]).toEqual([
    'one thread',
    '3 threads, 1,200 times',
  ]);
  // Before its run, the next one counts; after it there is none.
  expect(((await ask({ kind: 'woken', utid, ts: START + MS })) as Stretch).title).toContain('tid 20');
  expect(await ask({ kind: 'woken', utid, ts: START + 61 * MS })).toBeNull();
  expect(noWakerWords(run)).toBe('No thread to go to: no wake was recorded.');
});

test('tables of a range say what they cover', async () => {
  const covered = { start: START + 10 * MS, end: START + 30 * MS };
  const words = async (given: Readonly<Record<string, unknown>>) =>
    coverWords(covered, (await load(given)).tracks, START);
  expect(await words({})).toEqual({
    title: 'From 0.010000 s to 0.030000 s: 20.0 ms',
    text: 'The tables cover all threads. Pin threads or processes to have these alone.',
  });
  expect((await words({ pinned: 'c0' })).text).toBe((await words({})).text);
  expect((await words({ pinned: 't20 p8' })).text).toBe(
    'The tables cover the pinned tracks alone: UI, tid 20; hog.exe, pid 8, 1 thread.',
  );
});

test('a still has the tracks of panels, and what is chosen', async () => {
  const params = readParams(timeline.params, { pinned: 'panel-mine', tall: 'panel-mine', open: 'p16' });
  const model = await timeline.load(query, params, range);
  const item = { ts: START + 20 * MS, te: START + 60 * MS, name: 'held', value: null };
  const told = { facts: [], selection: null, open: null };
  const mine = { name: 'panel-mine', label: 'Mine', aside: '1', draw: 'spans', most: null } as const;
  const span = { start: START + 20 * MS, end: START + 60 * MS };
  const selection = { span, thread: { tid: 20, ts: span.start }, pid: 16 };
  const tracks = [{ ...mine, known: null, items: [item], about: () => told }];
  const { svg, texts } = stillOf(timeline, model, range, params, { selection, tracks });
  const names = [...svg.querySelectorAll('text.lane')].map(({ textContent }) => textContent);
  // Pinned, and in its place.
  expect(names.slice(0, 3)).toEqual(['Mine, 1', 'Mine, 1', 'CPU 0']);
  expect(texts).toContain('held');
  const frames = [...svg.querySelectorAll('path[fill=none]')];
  expect(frames.some((path) => path.getAttribute('stroke') === stillPalette.accent)).toBe(true);
});

test('a still has the heights and the lines of its params', async () => {
  const given = { pinned: 't20', tall: 't20', lines: 'rank', open: '' };
  const draw = async (asked: Readonly<Record<string, string>>) => {
    const model = await timeline.load(query, readParams(timeline.params, asked), range);
    const { svg, texts } = stillOf(timeline, model, range, asked);
    return { height: Number(svg.querySelector('svg')?.getAttribute('height')), texts };
  };
  const [plain, tall] = [await draw({ ...given, tall: '' }), await draw(given)];
  expect(tall.height - plain.height).toBe(40);
  expect(tall.texts).toContain('line: rank, 0 at the foot, 2 at the top');
  expect((await draw({ ...given, lines: 'none' })).texts.join()).not.toContain('line:');
});

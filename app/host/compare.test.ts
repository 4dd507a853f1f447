import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  compareTraces,
  measuredOf,
  measureFirst,
  measureTrace,
  plainOf,
  readBound,
  verdict,
  type Change,
  type Comparison,
  type Measured,
  type PlainMeasured,
} from '../../shared/compare/index.ts';
import { loadBlame } from '../../shared/causes/index.ts';
import { packModel, unpackModel } from './model-source/pack.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { hostQuery } from './host-query.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';
import { summariseTrace } from './trace-summary.ts';

/** Seeds of the machines: `OUTRANK_SEEDS=1-100 npx vitest run app/host/compare.test.ts` compares a hundred pairs of each kind. */
const [first = 1, last = first] = (process.env.OUTRANK_SEEDS ?? '1').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
/** Of so many in a hundred it may be wrong. */
const WRONG_PER_HUNDRED = 5;
const allowedOf = (pairs: number) => (pairs * WRONG_PER_HUNDRED) / 100;
/** So many runs a side tell a change of a tenth. */
const RUNS = 5;
/** A run with a change is of another seed than those without one. */
const CHANGED = 1000;
const SECOND = 1e9;
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

describeReal('two runs of one machine', () => {
  const folder = temporaryFolder();
  const host = startHost(join(folder, 'cache'));
  const known = new Map<string, Promise<readonly Measured[]>>();

  /** Measures a run of 20 s, and parts of it that are each so many seconds long; process ids differ from run to run. */
  async function measured(
    change: readonly string[],
    seed: number,
    part_s: number,
  ): Promise<readonly Measured[]> {
    const args = ['--seed', `${seed}`, '--first-id', `${(seed % 50) * 8}`];
    const path = join(folder, `run-${seed}.etl`);
    writeTrace(path, 'routine', '--change', ...change, ...args);
    const opened = await host.open(path, { columns: true });
    try {
      const query = hostQuery(host, opened);
      const summary = await summariseTrace(dataOf(query).tables);
      if (summary === null) throw new Error(`${path} is no trace`);
      const { start, end } = summary.range;
      const ranges = [summary.range];
      for (let at = start; at + part_s * SECOND <= end && part_s > 0; at += part_s * SECOND)
        ranges.push({ start: at, end: at + part_s * SECOND });
      const traces: Measured[] = [];
      for (const range of ranges)
        traces.push(await measureTrace(query, { name: `${change[0]} ${seed}`, range }));
      return traces;
    } finally {
      await host.close(opened.id);
      rmSync(path);
    }
  }

  /** A run, and the parts of 4 s of the first. */
  async function runs(change: readonly string[], seed: number): Promise<readonly [Measured, ...Measured[]]> {
    const key = `${change.join(' ')} ${seed}`;
    const running = known.get(key) ?? measured(change, seed, seed % CHANGED <= 1 ? 4 : 0);
    known.set(key, running);
    const [whole, ...parts] = await running;
    if (whole === undefined) throw new Error(`${key} was not measured`);
    return [whole, ...parts];
  }

  const run = async (change: string, seed: number): Promise<Measured> => (await runs([change], seed))[0];

  /** Runs of a steady machine, with a tenth of a change; `seed` is that of the first. */
  async function steadyRuns(change: string, seed: number): Promise<readonly Measured[]> {
    const steady = [change, '--steady', '--size-percent', '10'];
    const group: Measured[] = [];
    for (let at = 0; at < RUNS; at++) group.push((await runs(steady, seed + at))[0]);
    return group;
  }

  /** Of a hundred pairs few may be wrong; of many pairs it is printed how many are. */
  function expectFew(wrong: readonly string[], change: string): void {
    if (seeds.length > 1)
      console.info([`${change}: ${wrong.length} of ${seeds.length} wrong`, ...wrong].join('\n  '));
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(allowedOf(seeds.length));
  }

  const found = ({ changes, processes }: Comparison) =>
    changes
      .filter(({ is_sure }) => is_sure)
      .map(({ process, what }) => `${processes[process]?.name ?? ''}: ${what}`);

  /** What else than the list is sure. */
  const countsFound = ({ blame, switches, lives, processes }: Comparison) =>
    [...blame, ...switches.map((change) => ({ ...change, what: 'switches' })), ...lives]
      .filter(({ is_sure }) => is_sure)
      .map(({ process, what }) => `${processes[process]?.name ?? ''}: ${what}`);

  test(
    'that nothing was changed in differ in nothing for sure',
    { timeout: 600_000 + 120_000 * seeds.length },
    async () => {
      let before = await run('none', first - 1);
      expect(compareTraces([before], [before])).toMatchObject({
        changes: [],
        blame: [],
        recording: [],
        switches: [],
        lives: [],
        lengths: [],
        episodes: [],
        notes: [],
      });
      const wrong: string[] = [];
      const wrongBounds: string[] = [];
      for (const seed of seeds) {
        const next = await run('none', seed);
        const comparison = compareTraces([before], [next], { bounds: BOUNDS.map(readBound) });
        const sure = [...found(comparison), ...countsFound(comparison)];
        if (sure.length > 0) wrong.push(`${seed}: ${sure.join(', ')}`);
        const broken = comparison.bounds.filter(({ result }) => result === 'broken');
        if (broken.length > 0) wrongBounds.push(`${seed}: ${broken.map(({ text }) => text).join(', ')}`);
        expect(comparison.processes.filter(({ step }) => step === 'only')).toEqual([]);
        expectSums(comparison);
        before = next;
      }
      expectFew(wrong, 'nothing changed');
      expectFew(wrongBounds, 'bounds, nothing changed');
    },
  );

  /** Any growth at all: what is broken without a change is broken by chance. */
  const BOUNDS = ['ready.p99 > +0 %', 'cpu(app.exe) > +0 s', 'ready > +0 %'];

  /** One seed alone is tried with few of these. */
  const CHANGES: readonly (readonly [string, readonly string[]])[] = [
    ['rank', ['app.exe: ready: rank']],
    // The disk is slow, and whoever waits for an answer waits for it too.
    [
      'lock',
      ['broker.exe: blocked: Executive, woken by a DPC', 'app.exe: blocked: WrLpcReply, woken by broker.exe'],
    ],
    ['processor', ['compiler.exe: ready: priority']],
    ['process', ['scanner.exe: CPU time']],
    ['slower', ['app.exe: CPU time']],
  ];
  /** A processor is missing or not. */
  const SMALL_CHANGES = CHANGES.filter(([change]) => change !== 'processor');

  test.each(seeds.length === 1 ? CHANGES.slice(0, 3) : CHANGES)(
    'differ first in what was changed: %s',
    { timeout: 600_000 + 120_000 * seeds.length },
    async (change, expected) => {
      const wrong: string[] = [];
      for (const seed of seeds) {
        const comparison = compareTraces([await run('none', seed)], [await run(change, CHANGED + seed)]);
        const [firstFound = 'nothing'] = found(comparison);
        if (!expected.includes(firstFound)) wrong.push(`${seed}: ${firstFound}`);
        expectSums(comparison);
      }
      expectFew(wrong, change);
    },
  );

  test.each(seeds.length === 1 ? SMALL_CHANGES.slice(-1) : SMALL_CHANGES)(
    'differ first in a tenth of what was changed, five of each: %s',
    { timeout: 600_000 + 120_000 * seeds.length },
    async (change, expected) => {
      const wrong: string[] = [];
      for (const seed of seeds) {
        const [before, after] = [await steadyRuns('none', seed), await steadyRuns(change, CHANGED + seed)];
        const [firstFound = 'nothing'] = found(compareTraces(before, after));
        if (!expected.includes(firstFound)) wrong.push(`${seed}: ${firstFound}`);
      }
      expectFew(wrong, `a tenth of ${change}`);
    },
  );

  test('prove each row with the lengths, the places and the seconds of both sides', async () => {
    const [before, after] = [await run('none', 1), await run('rank', 1)];
    // What travels between threads is the same as what was measured.
    const travelled = measuredOf(unpackModel(packModel(plainOf(after))) as PlainMeasured);
    const comparison = compareTraces([before], [travelled]);
    expect(comparison).toStrictEqual(compareTraces([before], [after]));
    const { a, b, changes } = comparison;
    for (const { measure, a_ns, b_ns, proof } of changes) {
      const sum = (ns: readonly number[]) => ns.reduce((all, each) => all + each, 0);
      expect(Math.abs(sum(proof.b.blocks_ns) - b_ns)).toBeLessThan(1000);
      if (measure !== 'blocked') expect(Math.abs(sum(proof.a.blocks_ns) - a_ns)).toBeLessThan(1000);
      for (const side of ['a', 'b'] as const) {
        const { lengths, places, blocks_ns } = proof[side];
        const { start = 0, end = 0 } = { a, b }[side].ranges[0] ?? {};
        expect(places.length > 0).toBe(sum(blocks_ns) > 0);
        for (const { ts, te, tid, counted_ns } of places) {
          expect(counted_ns).toBeLessThanOrEqual(te - ts + 1);
          expect(ts < end && te > start && tid > 0).toBe(true);
        }
        expect(lengths.p50_ns).toBeLessThanOrEqual(lengths.p90_ns);
        expect(lengths.p99_ns).toBeLessThanOrEqual(lengths.max_ns);
      }
    }
    expect(changes[0]?.proof.b.places[0]?.counted_ns).toBeGreaterThan(1e7);
  });

  test('compare samples by module and function, and I/O by how long each took', async () => {
    const halves = async (scenario: string, ...options: readonly string[]) => {
      const opened = await host.open(writeTrace(join(folder, `${scenario}.etl`), scenario, ...options), {
        columns: true,
      });
      const query = hostQuery(host, opened);
      const { start, end } = (await summariseTrace(dataOf(query).tables))?.range ?? { start: 0, end: 0 };
      const middle = Math.floor((start + end) / 2);
      const a = await measureTrace(query, {
        name: 'first half',
        range: { start, end: middle },
      });
      const measured = await measureTrace(query, {
        name: 'second half',
        range: { start: middle, end },
      });
      const b = measuredOf(unpackModel(packModel(plainOf(measured))) as PlainMeasured);
      expect(compareTraces([a], [b])).toStrictEqual(compareTraces([a], [measured]));
      const asked = async (sql: string) => Number([...(await query(sql)).rows()][0]?.sum ?? NaN);
      const [inA, inB] = [`BETWEEN ${start} AND ${middle - 1}`, `BETWEEN ${middle} AND ${end}`];
      return { comparison: compareTraces([a], [b]), asked, inA, inB, id: opened.id };
    };
    const loop = await halves('hot-loop');
    const total = loop.comparison.totals.find(({ measure }) => measure === 'samples');
    const weights = 'SELECT sum(weight_ns) AS sum FROM etw_sample WHERE utid != 0 AND ts';
    expect(total?.b_ns).toBeCloseTo(await loop.asked(`${weights} ${loop.inB}`), -1);
    const sampled = loop.comparison.changes.filter(({ measure }) => measure === 'samples');
    expect(sampled.map(({ what }) => what)).toContain('sampled in wbemcore.dll');
    const loopStacks = loop.comparison.stacks.map(({ root }) => root);
    expect(loopStacks.reduce((sum, { b_ns }) => sum + b_ns, 0)).toBeCloseTo(total?.b_ns ?? 0, -1);
    for (const { parts, delta_ns } of sampled)
      expect(Math.abs(parts.reduce((sum, part) => sum + part.delta_ns, 0) - delta_ns)).toBeLessThan(1000);
    await host.close(loop.id);

    const disk = await halves('slow-disk', '--count', '1000', '--cpus', '4');
    const reads = disk.comparison.changes.filter(({ what }) => what === 'disk: read');
    const of = (side: 'a' | 'b') => reads.reduce((sum, { proof }) => sum + proof[side].lengths.n, 0);
    const count = "SELECT count(*) AS sum FROM etw_disk_io WHERE kind = 'read' AND ts + dur";
    expect([of('a'), of('b')]).toEqual([
      await disk.asked(`${count} ${disk.inA}`),
      await disk.asked(`${count} ${disk.inB}`),
    ]);
    for (const { b_ns, proof } of reads) expect(proof.b.places[0]?.counted_ns).toBeLessThanOrEqual(b_ns);
    await host.close(disk.id);
  });

  test(
    'say whom others waited for as blame does, and count starts and exits',
    { timeout: 60_000 },
    async () => {
      for (const [scenario, ...options] of [['user-lock'], ['exit-storm'], ['routine', '--change', 'lock']]) {
        const opened = await host.open(
          writeTrace(join(folder, `${scenario}.etl`), scenario ?? '', ...options),
          {
            columns: true,
          },
        );
        const query = hostQuery(host, opened);
        const range = (await summariseTrace(dataOf(query).tables))?.range ?? { start: 0, end: 0 };
        const first = await measureFirst(query, { name: 'all', range });
        const ofFirst = compareTraces([first], [first]);
        expect(verdict(ofFirst)).toBe('A and B do not differ in what is compared so far.');
        expect(ofFirst.notes).toEqual(
          expect.arrayContaining([
            'Not compared yet: ready time.',
            'Not compared yet: whom others waited for.',
          ]),
        );
        const measured = await measureTrace(query, { name: 'all', range });
        expect(measured.cells.slice(0, first.cells.length)).toStrictEqual(first.cells);
        const late = new Set(measured.cells.slice(first.cells.length).map(({ detail }) => detail.measure));
        expect(late).toEqual(new Set(['ready', 'blame']));
        const blame = measured.cells.filter(({ detail }) => detail.measure === 'blame');
        const ofThreads = await loadBlame(query, range);
        expect(sumOf(blame.map(({ ns }) => sumOf([...ns])))).toBeCloseTo(
          sumOf(ofThreads.map(({ active_ns, blocked_ns }) => active_ns + blocked_ns)),
          -1,
        );
        expect(blame.length).toBeGreaterThan(0);
        for (const { most, ns } of blame) expect(most?.counted_ns).toBeLessThanOrEqual(sumOf([...ns]) + 1);
        const ends = await query(
          'SELECT count(create_ts) AS starts, count(exit_ts) AS exits FROM etw_process',
        );
        const [{ starts = null, exits = null } = {}] = [...ends.rows()];
        const counted = (what: 'starts' | 'exits') => sumOf(measured.lives.map((of) => sumOf([...of[what]])));
        expect([counted('starts'), counted('exits')]).toEqual([Number(starts), Number(exits)]);
        await host.close(opened.id);
      }
    },
  );

  test('of another length are told apart by what happens in the same time', { timeout: 60_000 }, async () => {
    const [[long], [, short]] = [await runs(['none'], 0), await runs(['none'], 1)];
    if (short === undefined) throw new Error('a run has no parts');
    const comparison = compareTraces([short], [long], {
      bounds: [readBound('cpu > +60 %'), readBound('cpu < -60 %')],
    });
    expect(found(comparison)).toEqual([]);
    expect(comparison.bounds.map(({ result }) => result)).toEqual(['kept', 'kept']);
    expect(comparison.notes).toEqual([
      'A is 4.000 s long, B 20.000 s: sums of A are scaled to the length of B.',
    ]);
  });

  test('several of each are told apart, though each is short', { timeout: 60_000 }, async () => {
    const [, ...before] = await runs(['none'], 1);
    const [, ...after] = await runs(['rank'], 1);
    const bound = readBound('ready.rank(app.exe) > +0.2 s');
    const comparison = compareTraces(before, after, { bounds: [bound] });
    expect(found(comparison)[0]).toBe('app.exe: ready: rank');
    expect(comparison.bounds).toMatchObject([{ result: 'broken' }]);
    expectSums(comparison);
    const alike = compareTraces(before.slice(0, 2), before.slice(2), { bounds: [bound] });
    expect(found(alike)).toEqual([]);
    expect(alike.bounds).toMatchObject([{ result: 'kept' }]);
  });

  test('keep to a bound, break it for sure, or cannot tell', { timeout: 60_000 }, async () => {
    const [before, after] = [await run('none', 1), await run('rank', 1)];
    const judge = (text: string) => {
      const [judged] = compareTraces([before], [after], { bounds: [readBound(text)] }).bounds;
      return judged?.result;
    };
    expect(judge('ready.rank > +1 s')).toBe('broken');
    expect(judge('ready.rank > +20 %')).toBe('broken');
    expect(judge('ready.rank > +7800 ms')).toBe('cannot_tell');
    expect(judge('ready.rank > +30 s')).toBe('kept');
    expect(judge('ready.p99(APP.exe) > +100 %')).toBe('broken');
    expect(judge('switches(app.exe) > +500')).toBe('broken');
    expect(judge('cpu(app.exe) < -5 %')).toBe('broken');
    expect(judge('cpu(broker.exe) > +50 %')).toBe('kept');
    expect(() => judge('cpu(ap.exe) > +1 s')).toThrow('neither A nor B has a process ap.exe');
  });
});

/** The causes of ready time add up to all of it, and the rows of processes to the sums. */
function expectSums({ totals, changes }: Comparison): void {
  const sumOf = (rows: readonly Pick<Change, 'delta_ns'>[]) =>
    rows.reduce((sum, { delta_ns }) => sum + delta_ns, 0);
  const all = totals.find(({ measure, why }) => measure === 'ready' && why === null)?.delta_ns ?? 0;
  const byCause = totals.filter(({ measure, why }) => measure === 'ready' && why !== null);
  const byProcess = changes.filter(({ measure }) => measure === 'ready');
  expect(Math.abs(sumOf(byCause) - all)).toBeLessThan(1000);
  expect(Math.abs(sumOf(byProcess) - all)).toBeLessThan(1000);
  for (const { measure, threads, delta_ns } of changes)
    if (measure !== 'blocked') expect(Math.abs(sumOf(threads) - delta_ns)).toBeLessThan(1000);
}

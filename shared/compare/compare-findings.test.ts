import { expect, test } from 'vitest';
import type { Finding, Story, ToldFindings } from '../findings/index.ts';
import { compareFindings, type FoundIn } from './compare-findings.ts';

const RULES = ['rank-starvation', 'long-ready-wait', 'slow-disk'];

type Row = readonly [rule: string, process: string, seconds_lost: number, explainedBy?: number];

/** A finding at second 5 of a thread `Worker`. */
function findingOf([rule, process, seconds_lost]: Row): Finding {
  const span = { start: 5e9, end: 6e9 };
  const of = { tid: Math.round(seconds_lost * 100), thread: 'Worker', service: null, services: null };
  return {
    rule,
    title: rule,
    seconds_lost,
    where: { ...of, span, pid: 1, process },
    sentence: `${process} lost ${seconds_lost} s`,
    proof: { view: 'ready-latency', params: {}, range: span, selection: { span, thread: null, pid: null } },
  };
}

/** A trace of 20 s in which rules found this; a row may be explained by another one, by its place. */
function traceOf(rows: readonly Row[], asked = RULES, range = { start: 0, end: 20e9 }): FoundIn {
  const findings = rows.map(findingOf);
  const stories = rows.flatMap(([, process, , explainedBy], finding): Story[] => {
    if (explainedBy !== undefined) return [];
    const explains = rows.flatMap(([, , , head], at) => (head === finding ? [at] : []));
    const sentence = `${process} did it`;
    return [{ finding, sentence, culprit: null, explains, rests_on: [], not_said: [], would_decide: [] }];
  });
  const ofRule = (id: string) => ({
    id,
    title: id,
    means: '',
    matters: '',
    threshold: '',
    source: '',
    lost: '',
  });
  const found: ToldFindings = {
    findings,
    stories,
    checked: asked.map((id) => ({ ...ofRule(id), found: 0, more: false })),
    not_checked: RULES.filter((id) => !asked.includes(id)).map((id) => ({
      id,
      title: id,
      needs: ['the flag X'],
    })),
    failed: [],
  };
  return { name: 'trace.etl', range, found };
}

/** A change in a few words. */
function told(a: readonly FoundIn[], b: readonly FoundIn[]): string[] {
  return compareFindings(a, b).changes.map(
    ({ change, rule, process, a, b, is_sure, explains }) =>
      `${change} ${rule} ${process ?? ''} ${a.seconds_lost.toFixed(1)} → ${b.seconds_lost.toFixed(1)} in ${a.traces} → ${b.traces}${is_sure ? ', sure' : ''}${explains > 0 ? `, explains ${explains}` : ''}`,
  );
}

test('a trace and itself have the same findings', () => {
  const trace = traceOf([['rank-starvation', 'app.exe', 3]]);
  expect(compareFindings([trace], [trace])).toEqual({ changes: [], alike: 1, notes: [] });
});

test('what one side alone has is new or gone, what costs much more on one is more or less, and one trace a side is not sure', () => {
  const a = traceOf([
    ['rank-starvation', 'app.exe', 3],
    ['slow-disk', 'disk.exe', 1],
    ['long-ready-wait', 'app.exe', 2],
  ]);
  const b = traceOf([
    ['rank-starvation', 'APP.exe', 4],
    ['slow-disk', 'disk.exe', 4],
    ['long-ready-wait', 'new.exe', 1],
  ]);
  expect(told([a], [b])).toEqual([
    'more slow-disk disk.exe 1.0 → 4.0 in 1 → 1',
    'gone long-ready-wait app.exe 2.0 → 0.0 in 1 → 0',
    'new long-ready-wait new.exe 0.0 → 1.0 in 0 → 1',
  ]);
});

test('a change that another one explains stands under it, and the head says who was the culprit', () => {
  const b = traceOf([
    ['rank-starvation', 'app.exe', 3],
    ['long-ready-wait', 'broker.exe', 2, 0],
  ]);
  expect(told([traceOf([])], [b])).toEqual(['new rank-starvation app.exe 0.0 → 3.0 in 0 → 1, explains 1']);
  const [change] = compareFindings([traceOf([])], [b]).changes;
  expect(change?.b.worst?.sentence).toBe('app.exe did it');
});

test('several traces a side tell what is no chance', () => {
  const many = (seconds: readonly number[]) =>
    seconds.map((each) => traceOf(each === 0 ? [] : [['rank-starvation', 'app.exe', each]]));
  expect(told(many([0, 0, 0, 0, 0]), many([3, 4, 3, 4, 3]))).toEqual([
    'new rank-starvation app.exe 0.0 → 3.4 in 0 → 5, sure',
  ]);
  expect(told(many([0, 0, 0, 9, 0]), many([0, 0, 1, 0, 0]))).toEqual([
    'less rank-starvation app.exe 1.8 → 0.2 in 1 → 1',
  ]);
});

test('a rule that some traces could not be asked is not compared, and a note says why', () => {
  const a = traceOf([], ['rank-starvation', 'long-ready-wait']);
  expect(compareFindings([a], [traceOf([['slow-disk', 'disk.exe', 4]])])).toEqual({
    changes: [],
    alike: 0,
    notes: ['Not compared: findings of "slow-disk". For A (trace.etl) it needs the flag X.'],
  });
});

test('a finding outside the range does not count, and a process that is tied is the same', () => {
  const row: Row = ['rank-starvation', 'app.exe', 3];
  expect(told([traceOf([row], RULES, { start: 7e9, end: 20e9 })], [traceOf([])])).toEqual([]);
  const renamed = traceOf([['rank-starvation', 'newer.exe', 3]]);
  const ties = [{ a: 'app.exe --fast', b: 'newer.exe' }];
  expect(compareFindings([traceOf([row])], [renamed], ties)).toMatchObject({ changes: [], alike: 1 });
});

test('sums of A are for so long as a trace of B is', () => {
  const short = traceOf([['rank-starvation', 'app.exe', 1]], RULES, { start: 0, end: 10e9 });
  expect(told([short], [traceOf([['rank-starvation', 'app.exe', 2]])])).toEqual([]);
});

import { expect, test } from 'vitest';
import { compareTraces, type Measured } from '../../shared/compare/index.ts';
import type { Block } from '../kit/index.ts';
import { comparePage, type PageContext } from './page.ts';
import { rowName, rowOf } from './rows.ts';

const SECOND = 1e9;
const SECONDS = 20;

/** A trace of 20 s in which a worker was ready for so many ms of each second, because of its rank. */
function traceOf(ready_ms: number): Measured {
  const start = 5 * SECOND;
  const each = () => new Float64Array(SECONDS).fill(ready_ms * 1e6);
  const cell = { count: new Float64Array(SECONDS).fill(1), lengths: new Map(), functions: new Map() };
  const most = { ts: start, te: start + 2 * ready_ms * 1e6, tid: 44, counted_ns: ready_ms * 1e6 };
  return {
    name: 'trace.etl',
    range: { start, end: start + SECONDS * SECOND },
    isWhole: true,
    blocks: new Float64Array(SECONDS).fill(SECOND),
    leftOut_ns: 0,
    recorded: {
      facts: new Map([['CPUs', ready_ms > 1 ? '4' : '8']]),
      held: new Set(['switches', 'ready_threads', 'switch_states']),
      redacted: null,
      providers: [],
      missing_part: 0,
    },
    processes: [{ image: 'app.exe', command: null, parent: null, count: 1 }],
    threads: [{ process: 0, name: 'Worker', tids: [44] }],
    cells: [
      { ...cell, thread: 0, detail: { measure: 'ready', why: 'rank' }, ns: each(), most },
      { ...cell, thread: 0, detail: { measure: 'cpu', rank: 2, priority: 8 }, ns: each(), most },
    ],
    lengths: new Map(),
    lives: [],
    episodes: new Map(),
    stacks: new Map(),
  };
}

const comparison = compareTraces([traceOf(1)], [traceOf(100)]);

function page(given: Partial<PageContext> = {}) {
  const whole = { start: 5 * SECOND, end: 25 * SECOND };
  const nothing = () => undefined;
  return comparePage(comparison, {
    row: null,
    findings: null,
    wholes: { a: [whole], b: [whole] },
    choose: nothing,
    open: nothing,
    look: null,
    lookAt: nothing,
    ...given,
  });
}

/** The blocks of a page with all that is within. */
function within(blocks: readonly (Block | null)[]): Block[] {
  return blocks.flatMap((block) =>
    block === null ? [] : 'blocks' in block ? [block, ...within(block.blocks)] : [block],
  );
}

const titles = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.kind === 'panel' ? [block.title] : []));

test('what differs in the recordings comes first, then the list and the proof of its first row', () => {
  expect(titles(within(page())).slice(0, 3)).toEqual([
    'The recordings differ',
    'What changed',
    `Proof: ${rowName(comparison, comparison.changes[0] ?? never())}`,
  ]);
});

test('a row that is chosen has its proof, and opens where it is in the trace of its side', () => {
  const opened: unknown[] = [];
  const row = 'app.exe: ready: rank';
  const blocks = within(page({ row, open: (side, trace, place) => opened.push([side, trace, place]) }));
  expect(titles(blocks)).toContain(`Proof: ${row}`);
  const buttons = blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
  expect(buttons.map(({ label }) => label)).toEqual([
    'Timeline of both',
    'Open in A',
    'Timeline of A',
    'Open in B',
    'Timeline of B',
  ]);
  buttons[3]?.press?.(null as never);
  expect(opened).toEqual([
    [
      'b',
      0,
      {
        view: 'ready-latency',
        params: { wait_ts: 5 * SECOND, wait_tid: 44 },
        range: { start: 5 * SECOND, end: 5.36 * SECOND },
        selection: {
          span: { start: 5 * SECOND, end: 5.2 * SECOND },
          thread: { tid: 44, ts: 5 * SECOND },
          pid: null,
        },
      },
    ],
  ]);
});

test('a changed finding has its proof on both sides, and opens where it is', () => {
  const whole = { start: 5 * SECOND, end: 25 * SECOND };
  const proof = {
    view: 'ready-latency',
    params: {},
    range: whole,
    selection: { span: whole, thread: null, pid: null },
  };
  const where = {
    span: whole,
    tid: 44,
    thread: 'Worker',
    pid: 1,
    process: 'app.exe',
    service: null,
    services: null,
  };
  const sentence = 'app.exe was ready for 3 s.';
  const finding = {
    rule: 'rank-starvation',
    title: 'Rank starvation',
    seconds_lost: 3,
    where,
    sentence,
    proof,
  };
  const none = { traces: 0, seconds_lost: 0, worst: null };
  const found = { traces: 1, seconds_lost: 3, worst: { trace: 0, finding, sentence } };
  const named = { rule: finding.rule, title: finding.title, process: 'app.exe', thread: 'Worker' };
  const change = { ...named, change: 'new', is_sure: false, explains: 2, a: none, b: found } as const;
  const findings = { changes: [change], alike: 0, notes: [] };
  const opened: unknown[] = [];
  const row = 'finding: rank-starvation, app.exe: Worker';
  const blocks = within(page({ findings, row, open: (...where) => opened.push(where) }));
  expect(titles(blocks)).toContain('Proof: Rank starvation, app.exe: Worker');
  const told = blocks.flatMap((block) => (block.kind === 'answer' ? block.sentences : []));
  expect(told.slice(1)).toEqual(['A: not found.', 'B: 3.000 s lost. app.exe was ready for 3 s.']);
  const list = blocks.find((block) => block.kind === 'table' && block.table.title === 'Findings');
  expect(list?.kind === 'table' ? list.table.rows : []).toEqual([
    [
      ...['new', '–', '3.000 s', 'Rank starvation', 'app.exe: Worker'],
      'app.exe was ready for 3 s. It explains 2 more of these.',
    ],
  ]);
  const buttons = blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
  expect(buttons.map(({ press }) => press === null)).toEqual([true, false]);
  buttons[1]?.press?.(null as never);
  expect(opened).toEqual([['b', 0, proof]]);
});

test('the choice of a row names it, so that a link finds it in another comparison', () => {
  const chosen: string[] = [];
  const list = within(page({ choose: (row) => chosen.push(row) })).find(
    (block) => block.kind === 'table' && block.table.title === 'What changed',
  );
  if (list?.kind === 'table') for (const at of comparison.changes.keys()) list.choose?.(at);
  expect(chosen.sort()).toEqual(['app.exe: CPU time', 'app.exe: ready: rank']);
  for (const row of chosen) expect(rowName(comparison, rowOf(comparison, row) ?? never())).toBe(row);
  expect(rowOf(comparison, 'gone.exe: CPU time')).toBe(comparison.changes[0]);
});

function never(): never {
  throw new Error('nothing changed');
}

import { expect, test } from 'vitest';
import type { Query } from '../../shared/engine/index.ts';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { overview } from './view.ts';

const START = 1_000_000_000;
const MS = 1_000_000;
/** 256 steps of 1 ms. */
const whole = { start: START, end: START + 256 * MS };
const params = readParams(overview.params, {});

const STACK_OF_SWITCH = 2 ** 48 + 2 ** 18 + 2 ** 16 + 0x0524;

/**
 * On the only CPU a hog of priority 4 runs from 1 to 201 ms, and keeps an app of rank 2 waiting from 11 ms on, which then
 * runs for 1 ms. The app has the focus from 20 ms on, a key goes down at 30 ms, the hog is frozen at 250 ms. There are stacks
 * of context switches, and no samples.
 */
function heldUp(): Uint8Array {
  const run = { rank: 0, outPriority: 8, waitReason: 6, state: 5 };
  return new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', {
      schema: 1,
      cpu_count: 1,
      cpu_mhz: 3000,
      os_build: 19045,
      os_version: '10.0',
      pointer_bytes: 8,
      start_utc_ns: 1_700_000_000_000_000_000,
      utc_offset_minutes: 60,
      end_ts: whole.end,
      events_read: 9,
      context_switches: 3,
      ready_threads: 1,
      events_lost: 7,
    })
    .fact(START, 'etw.events', {
      provider: 'Thread',
      event: 'CSwitch',
      version: 4,
      fate: 'converted',
      count: 3,
    })
    .fact(START, 'etw.events', {
      provider: 'Thread',
      event: 'ReadyThread',
      version: 2,
      fate: 'converted',
      count: 1,
    })
    .fact(START, 'etw.loss', { kind: 'lost_events', count: 7, message: '' })
    .process(START, 'Idle', '', { pid: 0 })
    .process(START, 'hog.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, null, { tid: 9, pid: 8 })
    .thread(START, 'UI', { tid: 20, pid: 16 })
    .contextSwitch(START + MS, 0, [0, 2, 0], [9, 4, run])
    .readyThread(START + 11 * MS, 0, 20, 9)
    .genericEvent(START + 20 * MS, 'Microsoft-Windows-Win32k/FocusedProcessChange', [0, 0], 26, {
      SessionId: 1,
      OldProcessId: 0,
      NewProcessId: 16,
    })
    .genericEvent(START + 30 * MS, 'Multi-Input/Input', [0, 0], 404, {
      'Virtual key code': 65,
      'Key name': 'A',
    })
    .beginSamples(START, [['\\nt', 0x1000, 0x2000]], [[0, 1]], [[0]])
    .contextSwitch(START + 201 * MS, 0, [9, 5, 6], [20, 14, { ...run, rank: 2 }])
    .sample(START + 201 * MS, 0, [16, 20], { stack: 0, isKernel: true, value: STACK_OF_SWITCH })
    .contextSwitch(START + 202 * MS, 0, [20, 5, 6], [0, 0])
    .genericEvent(START + 250 * MS, 'Microsoft-Windows-Kernel-Process/ProcessFreeze', [0, 0], 11, {
      FrozenProcessID: 8,
    })
    .finish();
}

const NO_RULES = { files: [], refused: [] };

const load = async (query: Query, range = whole) => {
  const first = await overview.load(query, params, range);
  const more = (await overview.later?.load(query, params, range, first)) ?? first;
  return { first, all: (await overview.later?.find?.(query, more, NO_RULES)) ?? more };
};

const query = await queryOf(heldUp());

test('the first picture: all but waits and findings, from what the engine has parsed', async () => {
  const { first } = await load(query);
  const bucket = (from: number, to: number) =>
    Array.from({ length: 512 }, (_, half) => (half >= 2 * from && half < 2 * to ? MS / 2 : 0));
  expect(first).toEqual({
    range: whole,
    origin_ns: START,
    facts: {
      dur_ns: 256 * MS,
      recorded_ns: 256 * MS,
      start_utc_ns: '1700000000000000000',
      utc_offset_minutes: 60,
      os_version: '10.0',
      os_build: 19045,
      pointer_bytes: 8,
      cpu_count: 1,
      cpu_mhz: 3000,
      processes: 2,
      threads: 2,
      events_read: 9,
      context_switches: 3,
      events_lost: 7,
      buffers_lost: 0,
      gaps: 1,
    },
    cpu: {
      edges: Array.from({ length: 513 }, (_, half) => START + (half * MS) / 2),
      source: 'switches',
      series: [
        { process: 'hog.exe', pid: 8, services: null, busy_ns: bucket(1, 201) },
        { process: 'app.exe', pid: 16, services: null, busy_ns: bucket(201, 202) },
      ],
      lost_ns: bucket(0, 0),
    },
    processes: [
      { process: 'hog.exe', pid: 8, services: null, ran_ns: 200 * MS, share: 200 / 256 },
      { process: 'app.exe', pid: 16, services: null, ran_ns: MS, share: 1 / 256 },
    ],
    focus: [{ ts: START + 20 * MS, dur: 236 * MS, process: 'app.exe', services: null, pid: 16 }],
    focus_count: 1,
    inputs: [{ ts: START + 30 * MS, is_key: true }],
    input_count: 1,
    freezes: [
      {
        ts: START + 250 * MS,
        dur: 6 * MS,
        process: 'hog.exe',
        services: null,
        pid: 8,
        open_start: false,
        open_end: true,
      },
    ],
    freeze_count: 1,
    recorded: [
      { what: 'Context switches', events: 3, view: 'cpu-usage', shown_by: 'CPU usage', provider: null },
      {
        what: 'Ready-thread events',
        events: 1,
        view: 'ready-latency',
        shown_by: 'Ready latency',
        provider: null,
      },
    ],
    missing: first.missing,
    waits: null,
    findings: null,
  });
  expect(first.missing.map(({ what }) => what.split(':')[0])).toEqual([
    'Profile samples',
    'DPCs and interrupts',
    'Processes',
    'Threads',
    'Images in memory',
    'Disk transfers',
    'File operations',
    'Hard faults',
    'Services',
    'Changes of the focus',
    'Keys and mouse buttons',
    'Freezes of processes',
    "Uses of the window manager's lock",
  ]);
});

test('then verdicts and findings', async () => {
  const { first, all } = await load(query);
  expect([all.processes, all.cpu]).toEqual([first.processes, first.cpu]);
  expect(all.waits).toEqual([
    {
      ts: START + 11 * MS,
      dur: 190 * MS,
      ended: true,
      tid: 20,
      thread: 'UI',
      pid: 16,
      process: 'app.exe',
      service: null,
      rank: 2,
      priority: 14,
      why_late: 'rank',
    },
  ]);
  expect(all.findings?.findings.map(({ rule, proof }) => [rule, proof.view, proof.params])).toEqual([
    ['rank-starvation', 'ready-latency', { wait_ts: START + 11 * MS, wait_tid: 20 }],
    ['lost-events', 'system', {}],
  ]);
});

test('time of a CPU with lost events is neither idle nor busy, and named in the chart', async () => {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end, context_switches: 1 })
    .process(START, 'hog.exe', '', { pid: 8 })
    .thread(START, null, { tid: 9, pid: 8 })
    .fact(START, 'etw.loss', { kind: 'lost_events', dur_ns: 256 * MS, count: 7 })
    .contextSwitch(START + MS, 0, [0, 2, 0], [9, 4])
    .fact(START + 10.5 * MS, 'etw.loss', { kind: 'lost_buffers', cpu: 1, dur_ns: 2 * MS })
    .fact(START + 11 * MS, 'etw.loss', { kind: 'lost_events', cpu: 1, dur_ns: 0.75 * MS })
    .fact(whole.end, 'etw.end');
  const { first } = await load(await queryOf(trace.finish()));
  const lost = first.cpu.lost_ns.flatMap((ns, step) => (ns > 0 ? [[step, ns]] : []));
  expect(lost).toEqual([
    [21, 0.5 * MS],
    [22, 0.5 * MS],
    [23, 0.5 * MS],
    [24, 0.5 * MS],
  ]);
  expect(stillOf(overview, first, whole).texts).toContain('not recorded');
});

test('a part: its length, its CPU time and its shares, and what reaches into it', async () => {
  const { all } = await load(query, { start: START + 195 * MS, end: START + 205 * MS });
  const words = overview.tables(all).find(({ title }) => title === 'Recording')?.rows[0];
  expect(words).toEqual(['length', '10.0 ms, from 0.195000 s on']);
  expect(all.processes.map(({ process, ran_ns, share }) => [process, ran_ns, share])).toEqual([
    ['hog.exe', 6 * MS, 0.6],
    ['app.exe', MS, 0.1],
  ]);
  expect(all.waits?.map(({ ts }) => ts)).toEqual([START + 11 * MS]);
  expect(all.findings?.findings.map(({ rule }) => rule)).toEqual(['rank-starvation']);
  expect([all.focus.length, all.inputs.length, all.freezes.length]).toEqual([1, 0, 0]);
});

test('of a trace that was converted in part, that part', async () => {
  const trace = new TraceWriter().start(START, START).fact(START, 'etw.trace', {
    schema: 1,
    cpu_count: 1,
    end_ts: whole.end,
    selected_from_ts: START + 56 * MS,
    selected_to_ts: whole.end,
  });
  const { first } = await load(await queryOf(trace.finish()));
  expect([first.range, first.facts.dur_ns]).toEqual([{ start: START + 56 * MS, end: whole.end }, 200 * MS]);
});

test('without context switches CPU time is of samples; the kinds that were recorded lead to their views', async () => {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 2, end_ts: whole.end })
    .process(START, 'app.exe', '', { pid: 16 })
    .thread(START, 'UI', { tid: 20, pid: 16 });
  const kinds = [
    ['PerfInfo', 'SampledProfile', 'converted', 64],
    ['FileIo', 'FileRundown', 'generic', 9],
    ['DiskIo', 'Read', 'generic', 5],
    ['DiskIo', 'ReadInit', 'generic', 5],
    ['Mine', 'A', 'generic', 3],
    ['Mine', 'B', 'generic', 4],
    ['Mine', 'C', 'skipped', 90],
    ['Image', 'Load', 'converted', 2],
  ] as const;
  for (const [provider, event, fate, count] of kinds)
    trace.fact(START, 'etw.events', { provider, event, version: 2, fate, count });
  trace.beginSamples(START + MS, [['\\app.exe', 0x1000, 0x2000]], [[0, 1]], [[0]]);
  // Each stands for 1 ms.
  const sample = { stack: 0, isKernel: false, value: 10_000 * 2 ** 16 };
  for (let ms = 2; ms < 66; ms++) trace.sample(START + ms * MS, 0, [16, 20], sample);
  const { first, all } = await load(await queryOf(trace.finish()));
  expect(first.cpu.series).toEqual([]);
  expect(all.cpu.source).toBe('samples');
  expect(all.processes.map(({ process, ran_ns, share }) => [process, ran_ns, share])).toEqual([
    ['app.exe', 64 * MS, 64 / 512],
  ]);
  expect(all.recorded.map(({ what, events, view, provider }) => [what, events, view, provider])).toEqual([
    ['Profile samples', 64, 'cpu-sampled', null],
    ['FileIo', 9, 'generic-events', 'FileIo'],
    ['Mine', 7, 'generic-events', 'Mine'],
    ['Disk transfers', 5, 'io', null],
    ['DiskIo', 5, 'generic-events', 'DiskIo'],
    ['Images in memory', 2, 'system', null],
  ]);
});

test('the user’s rules run with those that come with Outrank; an error in one names its file and line', async () => {
  const rule = (title: string, select: string) => `-- @title ${title}
-- @means A
-- @matters B
-- @lost C
-- @threshold 1 s: ours
-- @needs etw_process: PROC_THREAD
-- @sentence {process} stands out.
-- @proof system
${select}`;
  const rows = 'SELECT :threshold AS ts, 0 AS dur, NULL AS utid, upid, 9.0 AS seconds_lost FROM etw_process';
  const rules = {
    files: [
      { name: 'mine.sql', text: rule('Mine', `${rows} WHERE pid = 16`) },
      { name: 'typo.sql', text: rule('Typo', `${rows}\nWHERE pd = 16`) },
      { name: 'write.sql', text: rule('Write', 'DELETE FROM etw_process') },
      { name: 'attach.sql', text: rule('Attach', `${rows}; ATTACH 'x' AS y`) },
      {
        name: 'effect.sql',
        text: rule('Effect', `${rows} WHERE create_function('f()', 'LONG', 'SELECT 1')`),
      },
    ],
    refused: [{ id: 'huge.sql', message: 'huge.sql: too many bytes' }],
  };
  const first = await overview.load(query, params, whole);
  const { findings } = (await overview.later?.find?.(query, first, rules)) ?? first;
  expect(findings?.findings.map(({ rule, sentence }) => [rule, sentence]).slice(0, 2)).toEqual([
    ['mine', 'app.exe (pid 16) stands out.'],
    ['rank-starvation', expect.stringContaining('app.exe (tid 20, UI) was ready for 190 ms')],
  ]);
  expect(findings?.failed.map(({ message }) => message)).toEqual([
    'write.sql, line 9: the statement must be a SELECT, not "DELETE"',
    'attach.sql, line 9: only one statement is taken',
    'effect.sql, line 9: create_function changes more than it reads',
    'typo.sql, line 10: no such column: pd',
    'huge.sql: too many bytes',
  ]);
});

test('marks that are too many are cut, and that is said', async () => {
  const trace = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end })
    .process(START, 'hog.exe', '', { pid: 8 })
    .process(START, 'app.exe', '', { pid: 16 });
  for (let number = 0; number < 4001; number++) {
    const at = START + (number + 1) * 60_000;
    const [from, to] = number % 2 === 0 ? [8, 16] : [16, 8];
    const focus = { SessionId: 1, OldProcessId: from, NewProcessId: to };
    trace.genericEvent(at, 'Microsoft-Windows-Win32k/FocusedProcessChange', [0, 0], 26, focus);
    trace.genericEvent(at, 'Multi-Input/Input', [0, 0], 404, { 'Virtual key code': 65 });
  }
  const { first } = await load(await queryOf(trace.finish()));
  expect([first.focus.length, first.inputs.length]).toEqual([4000, 4000]);
  expect(stillOf(overview, first, whole).texts.filter((line) => line.includes(' of 4,'))).toEqual([
    'focus: the longest 4,000 of 4,002 · input: the first 4,000 of 4,001',
  ]);
});

test('a still is one SVG that names what was found; an empty trace has one too', async () => {
  const empty = new TraceWriter()
    .start(START, START)
    .fact(START, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: whole.end });
  const textsOf = async (ask: Query) => stillOf(overview, (await load(ask)).all, whole).texts;
  const [full, bare] = [await textsOf(query), await textsOf(await queryOf(empty))];
  expect(full).toContain('190 ms  Rank starvation');
  expect(full).toContain('190 ms  app.exe (tid 20, UI): rank: better ranks of lower priority ran');
  expect(bare).toContain('nothing found by 18 rules, 17 lack their events');
});

test('one of what was lost is told as one', async () => {
  const { first } = await load(query);
  const rows = overview.tables(first).find(({ title }) => title === 'Recording')?.rows ?? [];
  expect(rows.find(([fact]) => fact === 'lost')).toEqual(['lost', '7 events, 1 gap']);
});

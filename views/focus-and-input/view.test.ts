import { expect, test } from 'vitest';
import { queryOf } from '../../shared/engine/testing/start.ts';
import { TraceWriter } from '../../shared/engine/testing/trace-writer.ts';
import { readParams } from '../../shared/view/index.ts';
import { stillOf } from '../kit/testing.ts';
import { eventTable } from './tables.ts';
import { focusAndInput } from './view.ts';

const whole = { start: 1000, end: 2000 };
const params = readParams(focusAndInput.params, {});

/** The editor has the focus up to 1300, then the browser up to 1600, then none. Input from 1400 on. */
function attentionTrace(): Uint8Array {
  const trace = new TraceWriter()
    .start(1000, 1000)
    .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
    .process(1000, 'editor.exe', '', { pid: 16 })
    .process(1000, 'browser.exe', '', { pid: 32 });
  const focus = (ts: number, from: number, to: number) =>
    trace.genericEvent(ts, 'Microsoft-Windows-Win32k/FocusedProcessChange', [0, 0], 26, {
      SessionId: 1,
      OldProcessId: from,
      NewProcessId: to,
    });
  const input = (ts: number, id: number, fields: Record<string, number | string>) =>
    trace.genericEvent(ts, 'Multi-Input/Input', [0, 0], id, fields);
  focus(1300, 16, 32);
  input(1400, 400, { 'Button Type': 2, x: 30, y: 40 });
  input(1410, 401, { 'Button Type': 2, x: 31, y: 41 });
  input(1420, 402, { x: -5, y: 6 });
  input(1430, 403, { zDelta: -120, x: 7, y: 8 });
  focus(1600, 32, 0);
  input(1700, 404, { 'Virtual key code': 65, 'Key name': 'A' });
  return trace.fact(2000, 'etw.end').finish();
}

const query = await queryOf(attentionTrace());

const load = (given: Readonly<Record<string, unknown>>, range = whole) =>
  focusAndInput.load(query, readParams(focusAndInput.params, given), range);

test('all that is drawn: focus from before the trace on, and input of each kind but moves', async () => {
  const editor = { process: 'editor.exe', pid: 16, services: null };
  const browser = { process: 'browser.exe', pid: 32, services: null };
  const right = { code: 2, key_name: null, focus: 'browser.exe' };
  expect(await load({})).toEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [],
    lanes: [
      {
        ...editor,
        focused_ns: 300,
        spans: [{ ts: 1000, dur: 300, ...editor, session: 1, open_start: true, open_end: false }],
      },
      {
        ...browser,
        focused_ns: 300,
        spans: [{ ts: 1300, dur: 300, ...browser, session: 1, open_start: false, open_end: false }],
      },
    ],
    input_count: 4,
    inputs: [
      { ts: 1400, kind: 'mouse_down', ...right, x: 30, y: 40 },
      { ts: 1410, kind: 'mouse_up', ...right, x: 31, y: 41 },
      { ts: 1430, kind: 'mouse_wheel', code: -120, key_name: null, x: 7, y: 8, focus: 'browser.exe' },
      { ts: 1700, kind: 'key_down', code: 65, key_name: 'A', x: null, y: null, focus: null },
    ],
  });
});

test('the events in words, with moves of the mouse where they are asked for', async () => {
  expect(eventTable(await load({ moves: true })).rows).toEqual([
    [1000, 'had the focus before the trace', 'editor.exe (pid 16)', 300, null, null, '1'],
    [1300, 'got the focus', 'browser.exe (pid 32)', 300, null, null, '1'],
    [1400, 'right button down', 'browser.exe', null, 30, 40, null],
    [1410, 'right button up', 'browser.exe', null, 31, 41, null],
    [1420, 'mouse moved', 'browser.exe', null, -5, 6, null],
    [1430, 'wheel −120', 'browser.exe', null, 7, 8, null],
    [1700, 'key A down', null, null, null, null, null],
  ]);
});

test('the range and the limit cut', async () => {
  const cut = await load({ limit: 1 }, { start: 1405, end: 1500 });
  expect(cut.lanes.map(({ process, focused_ns }) => [process, focused_ns])).toEqual([['browser.exe', 95]]);
  expect(cut.inputs.map(({ ts }) => ts)).toEqual([1410]);
  expect(cut.input_count).toBe(2);
});

test('a trace without them says what would record them', async () => {
  const empty = await queryOf(
    new TraceWriter()
      .start(1000, 1000)
      .fact(1000, 'etw.trace', { schema: 1, cpu_count: 1, end_ts: 2000 })
      .finish(),
  );
  expect(await focusAndInput.load(empty, params, whole)).toEqual({
    origin_ns: 1000,
    unrecorded: null,
    notes: [
      'There were no changes of the focus, or they were not recorded: who had the focus is not known. Record the provider Microsoft-Windows-Win32k with the keyword 0x2000 (Focus).',
      'There were no keys and mouse buttons, or they were not recorded: what the user did is not known. Record with UIforETW and its input tracing (the provider Multi-Input).',
    ],
    lanes: [],
    input_count: 0,
    inputs: [],
  });
});

test('a still is one SVG, with each lane named and each bar labelled that has room', async () => {
  const { texts } = stillOf(focusAndInput, await load({}), whole);
  expect(texts.slice(1, 3)).toEqual([
    'Focus and input over time',
    '2 processes had the focus; 4 input events.',
  ]);
  expect(texts.slice(-6)).toEqual([
    'editor.exe (pid 16)',
    'browser.exe (pid 32)',
    'keys',
    'mouse',
    'editor.exe 300 ns',
    'browser.exe 300 ns',
  ]);
});

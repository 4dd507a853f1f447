import { expect, test } from 'vitest';
import { NO_LINK, NO_SELECTION } from '../../../shared/link/index.ts';
import { placeIn } from './apply-state.ts';

const whole = { start: 1_000, end: 9_000 };
const { place } = NO_LINK;

test('a link that fits leads where it says, and nothing is told', () => {
  const there = {
    ...place,
    view: 'ready-latency',
    params: { process: 'LockApp.exe' },
    range: { start: 2_000, end: 3_000 },
    selection: { span: { start: 2_500, end: 2_600 }, thread: { tid: 7, ts: 2_500 }, pid: 5 },
    marks: [{ slot: 0, ts: 2_500, label: 'woken' }],
  };
  expect(placeIn({ state: { ...NO_LINK, place: there }, notes: [] }, whole)).toEqual({
    place: there,
    notes: [],
  });
});

test('what does not fit the trace is left out, each with a word', () => {
  const there = {
    ...place,
    view: 'of-tomorrow',
    params: { shade: 'x' },
    range: { start: 20_000, end: 30_000 },
    selection: { span: { start: 20_000, end: 20_001 }, thread: null, pid: 5 },
    marks: [
      { slot: 0, ts: 2_500, label: 'in' },
      { slot: 1, ts: 25_000, label: 'out' },
    ],
  };
  expect(placeIn({ state: { ...NO_LINK, place: there }, notes: ['an older word'] }, whole)).toEqual({
    place: {
      ...place,
      selection: { ...NO_SELECTION, pid: 5 },
      marks: [{ slot: 0, ts: 2_500, label: 'in' }],
    },
    notes: [
      'an older word',
      'there is no view “of-tomorrow”: the first is shown',
      'unknown parameter "shade": this view takes none: left out',
      'the range is outside the trace: all of it is shown',
      'what was chosen is outside the trace: left out',
      '1 of 2 marks are outside the trace: left out',
    ],
  });
});

test('the page of a panel is there if the link brings the panel, with its params', () => {
  const there = { ...place, view: 'panel-by-rank', params: { top: 3 } };
  const panels = [{ name: 'by-rank', sql: 'SELECT 1' }];
  expect(placeIn({ state: { ...NO_LINK, place: there, panels }, notes: [] }, whole)).toEqual({
    place: there,
    notes: [],
  });
  expect(placeIn({ state: { ...NO_LINK, place: { ...there, params: {} } }, notes: [] }, whole)).toEqual({
    place: { ...there, view: null, params: {} },
    notes: ['there is no view “panel-by-rank”: the first is shown'],
  });
});

test('the page of a dashboard is there if the link brings the dashboard', () => {
  const there = { ...place, view: 'dashboard-logon' };
  const dashboard = { name: 'logon', title: 'Logon', columns: 2, panels: [] };
  expect(placeIn({ state: { ...NO_LINK, place: there, dashboard }, notes: [] }, whole)).toEqual({
    place: there,
    notes: [],
  });
  expect(placeIn({ state: { ...NO_LINK, place: there }, notes: [] }, whole)).toEqual({
    place: { ...there, view: null },
    notes: ['there is no view “dashboard-logon”: the first is shown'],
  });
});

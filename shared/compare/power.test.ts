import { expect, test } from 'vitest';
import { openEvents, tableOf, type Row, type ShapeRow } from '../events/testing.ts';
import { loadPower } from './power.ts';

const KERNEL = 'Microsoft-Windows-Kernel-Power';
const USER = 'Microsoft-Windows-UserModePowerService';
const SHAPES: readonly ShapeRow[] = [
  ['A/b', null, '{"AcOnline":\u0001}'],
  [`${KERNEL}/AcDcStateRundown`, null, '{"AcOnline":\u0001}'],
  [`${KERNEL}/AcDcStateChange/Info`, null, '{"AcOnline":\u0001,"RemainingCapacity":\u0001}'],
  [`${USER}/RundownPowerScheme`, null, '{"SchemeGuid":"\u0001"}'],
  [`${USER}/PowerSchemeChanged`, null, '{"NewSchemeGuid":"\u0001"}'],
];

const tablesOf = (events: readonly Row[], sleeps: readonly Row[] = []) =>
  openEvents(SHAPES, events, [tableOf('etw_suspend', { columns: { ts: 'int64' }, rows: sleeps })]);

test('power states are told in the order of time, each once, with sleeps', async () => {
  const events: readonly Row[] = [
    [1n, 0, null, 1, 'true'],
    [2n, 0, null, 3, '381B4222-F694-41F0-9685-FF5BB260DF2E'],
    [3n, 0, null, 2, 'true\u000190'],
    [4n, 0, null, 2, 'false\u000190'],
    [5n, 0, null, 4, '{00000000-0000-0000-0000-000000000001}'],
    [6n, 0, null, 1, 'false'],
  ];
  expect(await loadPower(tablesOf(events, [[7n]]))).toEqual({
    source: 'mains, then battery',
    plan: 'Balanced, then {00000000-0000-0000-0000-000000000001}',
    sleeps: '1',
  });
});

test('without events of power nothing is known', async () => {
  const unknown = { source: null, plan: null, sleeps: 'none recorded' };
  expect(await loadPower(tablesOf([[1n, 0, null, 0, 'true']]))).toEqual(unknown);
  for (const odd of ['"odd"\u00011', 'tru'])
    expect(await loadPower(tablesOf([[1n, 0, null, 2, odd]]))).toEqual(unknown);
});

import { expect, test } from 'vitest';
import { columns } from './columns.ts';
import { makeTable } from './make-table.ts';

test('a process is named with the service of the thread, or with those that it hosts', () => {
  const threads = [
    { process: 'svchost.exe', service: 'Winmgmt' },
    { process: 'editor.exe', service: null },
    { process: null, service: null },
  ];
  const hosts = [{ process: 'svchost.exe', services: 'DcomLaunch,Power,PlugPlay' }];
  const rowsOf = (rows: typeof threads | typeof hosts) => makeTable('', [columns.process], rows).rows.flat();
  expect(rowsOf(threads)).toEqual(['svchost.exe Winmgmt', 'editor.exe', null]);
  expect(rowsOf(hosts)).toEqual(['svchost.exe DcomLaunch +2']);
});

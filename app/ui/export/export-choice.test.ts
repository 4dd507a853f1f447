import { expect, test } from 'vitest';
import { exportName } from '../../host/export-request.ts';
import { requestOf, SAFE } from './export-choice.ts';

test('unless the user says otherwise all texts are redacted in the whole of what is open', () => {
  expect(requestOf(SAFE)).toEqual({
    part: { from: null, to: null, only: [], skip: [] },
    processes: [],
    redact: 'all',
  });
});

test('a range is on the trace clock, within the kinds that are open; changed actions follow all', () => {
  const opened = { from: '1s', to: '9s', only: [], skip: ['io'] };
  const choice = {
    range: { start: 2_000_000_000.5, end: 3_000_000_000.2 },
    processes: ['LockApp.exe'],
    actions: { paths: 'keep', names: 'remove' },
  } as const;
  expect(requestOf(choice, opened)).toEqual({
    part: { from: '2000000000', to: '3000000001', only: [], skip: ['io'] },
    processes: ['LockApp.exe'],
    redact: 'all,names=remove,paths=keep',
  });
});

test('the file is named after the recording', () => {
  expect(['a.etl', 'a.etl.gz', 'b.kernel.etl + b.user.etl', 'x'].map(exportName)).toEqual([
    'a.redacted.pftrace',
    'a.redacted.pftrace',
    'b.kernel.redacted.pftrace',
    'x.redacted.pftrace',
  ]);
});

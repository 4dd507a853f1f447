import { expect, test } from 'vitest';
import { utidsMatching, type ThreadName } from './thread-names.ts';

const of = (process: string | null, pid: number, upid: number | null) => ({ process, pid, upid });
const names = new Map<number, ThreadName>([
  [1, { ...of('Server.exe', 40, 2), tid: 44, thread: 'pump' }],
  [2, { ...of('Server.exe', 40, 2), tid: 48, thread: null }],
  [3, { ...of('app.exe', 48, 3), tid: 52, thread: 'Pump of app' }],
  // Of a process that is not known.
  [4, { ...of(null, 60, null), tid: 64, thread: null }],
]);

test.each([
  [{ process: null, thread: null }, null],
  [{ process: 'server', thread: null }, [1, 2]],
  [{ process: '48', thread: null }, [3]],
  [{ process: null, thread: 'PUMP' }, [1, 3]],
  [{ process: 'exe', thread: '48' }, [2]],
  [{ process: '60', thread: null }, [4]],
] as const)('threads that match %o', (wanted, utids) => {
  expect(utidsMatching(names, wanted)).toEqual(utids);
});

import { expect, test } from 'vitest';
import { parentLabel, processLabel, programLabel, threadLabel } from './labels.ts';

test('a thread is told by its process, service, id and name, as far as these are known', () => {
  const server = { process: 'svchost.exe', service: null, tid: 20 };
  expect(threadLabel(server)).toBe('svchost.exe (tid 20)');
  expect(threadLabel({ ...server, thread: 'pump' })).toBe('svchost.exe (tid 20, pump)');
  expect(threadLabel({ ...server, service: 'Winmgmt', thread: '' })).toBe('svchost.exe Winmgmt (tid 20)');
  expect(threadLabel({ process: null, service: null, tid: null })).toBe('unknown process (tid ?)');
  expect(threadLabel(undefined)).toBe('unknown process (tid ?)');
});

test('a process is told by its name, services and id, a program by its service', () => {
  const wmi = { process: 'wmi.exe', pid: 16, services: null };
  expect(processLabel(wmi)).toBe('wmi.exe (pid 16)');
  expect(processLabel({ ...wmi, pid: null })).toBe('wmi.exe');
  expect(processLabel({ ...wmi, services: 'Winmgmt' })).toBe('wmi.exe Winmgmt (pid 16)');
  expect(processLabel(undefined)).toBe('unknown process');
  expect(programLabel({ process: 'svchost.exe', service: 'Winmgmt' })).toBe('svchost.exe Winmgmt');
});

test('a process without a name has its id once', () => {
  const nameless = { process: 'pid 9120', pid: 9120, services: null };
  expect(processLabel(nameless)).toBe('pid 9120');
  expect(processLabel({ ...nameless, process: null })).toBe('pid 9120');
  expect(processLabel({ ...nameless, services: 'Winmgmt' })).toBe('pid 9120 Winmgmt');
  // A name that merely looks like an id.
  expect(processLabel({ ...nameless, pid: 16 })).toBe('pid 9120 (pid 16)');
  expect(threadLabel({ process: 'pid 9120', service: null, tid: 20 })).toBe('pid 9120 (tid 20)');
});

test('of several services the first is told, and how many more', () => {
  const host = { process: 'svchost.exe', services: 'DcomLaunch,PlugPlay,Power', pid: 16 };
  expect(processLabel(host)).toBe('svchost.exe DcomLaunch +2 (pid 16)');
});

test('a parent is told by name and id, one that is not in the trace by its id', () => {
  expect(parentLabel('shell.exe', 100)).toBe('shell.exe (pid 100)');
  expect(parentLabel(null, 100)).toBe('pid 100');
  expect(parentLabel(null, 0)).toBeNull();
  expect(parentLabel(null, null)).toBeNull();
});

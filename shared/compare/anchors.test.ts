import { expect, test } from 'vitest';
import { anchorKind, anchorText, readAnchored, type Anchor } from './anchors.ts';

const anchors: readonly Anchor[] = [
  { kind: 'process', name: 'app.exe', ts: 1e9 },
  { kind: 'key', name: 'Return', ts: 2e9 },
  { kind: 'focus', name: 'app.exe', ts: 2.5e9 },
  { kind: 'key', name: 'A', ts: 3e9 },
  { kind: 'process', name: 'app.exe', ts: 4e9 },
  { kind: 'release', name: '', ts: 3.5e9 },
];

test.each([
  ['key:2', 3e9],
  ['key:return', 2e9],
  ['process:APP.exe', 1e9],
  ['process:app.exe#2-500ms', 3.5e9],
  ['focus:app.exe+1.5s', 4e9],
  ['release:1', 3.5e9],
])('%s tells a time', (text, ts) => {
  expect(anchorKind(text)).toBe(text.split(':')[0]);
  expect(readAnchored(text, anchors)).toBe(ts);
});

test.each([
  ['key:3', '"key:3" is not in this trace; keys and buttons: 2, Return, A'],
  ['process:other.exe', 'starts of processes: 2, app.exe'],
  ['focus:app.exe#2', 'changes of focus: 1, app.exe'],
  ['30.3s', '"30.3s" is no anchor'],
])('%s is refused', (text, message) => {
  expect(() => readAnchored(text, anchors)).toThrow(message);
});

test('each anchor is found by what it is called', () => {
  for (const anchor of anchors) expect(readAnchored(anchorText(anchors, anchor), anchors)).toBe(anchor.ts);
  expect(anchorKind('30.3s')).toBeNull();
});

import { expect, test } from 'vitest';
import { foldCommandLine } from './fold.ts';

test.each([
  [
    '"C:\\app.exe" --type=renderer --renderer-client-id=17',
    '"C:\\app.exe" --type=renderer   --renderer-client-id=204',
  ],
  ['a.exe {6F0A7C2E-5B1D-4f7e-9a34-0123456789ab}', 'a.exe {00000000-0000-0000-0000-000000000000}'],
  ['a.exe --log C:\\Users\\me\\AppData\\Local\\Temp\\x1f.tmp', 'a.exe --log D:\\temp\\other\\file.log'],
  ['a.exe --handle 0x1f4 --key deadbeef01', 'a.exe --handle 0xABC --key 00c0ffee00'],
])('%s and %s are alike', (a, b) => {
  expect(foldCommandLine(a)).toBe(foldCommandLine(b));
});

test('words tell command lines apart', () => {
  expect(foldCommandLine('svchost.exe -k netsvcs -s Winmgmt')).not.toBe(
    foldCommandLine('svchost.exe -k netsvcs -s Schedule'),
  );
  // Hexadecimal digits alone are no number.
  expect(foldCommandLine('a.exe facade')).toBe('a.exe facade');
});

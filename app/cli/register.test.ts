import { expect, test } from 'vitest';
import { linuxFiles, windowsEntries } from './register.ts';

test('a Linux desktop learns the scheme and bundles, with paths that hold anything', () => {
  const [mime, desktop] = linuxFiles('/home/a/.local/share', [
    '/usr/bin/node',
    '/opt/out "$x" 100%/outrank.mjs',
  ]);
  expect(mime?.path).toBe('/home/a/.local/share/mime/packages/outrank.xml');
  expect(desktop).toEqual({
    path: '/home/a/.local/share/applications/outrank.desktop',
    text: `[Desktop Entry]
Type=Application
Name=Outrank
Comment=Windows performance traces
Exec="/usr/bin/node" "/opt/out \\\\"\\\\$x\\\\" 100%%/outrank.mjs" %u
Terminal=false
NoDisplay=true
MimeType=x-scheme-handler/outrank;application/x-outrank;
`,
    then: [
      ['update-desktop-database', '/home/a/.local/share/applications'],
      ['xdg-mime', 'default', 'outrank.desktop', 'x-scheme-handler/outrank'],
      ['xdg-mime', 'default', 'outrank.desktop', 'application/x-outrank'],
    ],
  });
});

test('Windows is told by values of the user, each path in quotes', () => {
  expect(windowsEntries(['C:\\Program Files\\node.exe', 'C:\\o.mjs', 'open'])).toContainEqual([
    'HKCU\\Software\\Classes\\outrank\\shell\\open\\command',
    '/ve',
    '/d',
    '"C:\\Program Files\\node.exe" "C:\\o.mjs" "open" "%1"',
  ]);
});

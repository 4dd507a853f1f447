import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { LINK_SCHEME } from '../../shared/link/index.ts';
import { UsageError } from './command.ts';
import { launcher } from './session.ts';
import { print, say } from './terminal.ts';

/** `outrank link register`: what opens links and bundles on this system, for this user. A packaged app does it by itself. */
export async function register(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  // Electron as Node is the window's own program, which takes a link or a file as it is.
  const program = 'electron' in process.versions ? [process.execPath] : [process.execPath, launcher, 'open'];
  if (process.platform === 'linux') {
    const data = process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share');
    for (const { path, text, then } of linuxFiles(data, program)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await print([`${path}\n`]);
      for (const [command, ...rest] of then) await attempt(command, rest);
    }
    return 0;
  }
  if (process.platform === 'win32') {
    for (const entry of windowsEntries(program)) await promisify(execFile)('reg', ['add', ...entry, '/f']);
    await print([`HKCU\\Software\\Classes\\${LINK_SCHEME}\n`]);
    return 0;
  }
  throw new UsageError(
    'on macOS only a packaged app can be registered, by its Info.plist: docs/sharing.md says how',
  );
}

/** The files that make a Linux desktop open links and bundles with a program, and the commands that make them known. */
export function linuxFiles(data: string, program: readonly string[]) {
  const applications = join(data, 'applications');
  const mime = join(data, 'mime');
  const scheme = `x-scheme-handler/${LINK_SCHEME}`;
  const type = 'application/x-outrank';
  return [
    {
      path: join(mime, 'packages', 'outrank.xml'),
      text:
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">\n' +
        `  <mime-type type="${type}">\n    <comment>Outrank bundle</comment>\n` +
        '    <glob pattern="*.outrank"/>\n  </mime-type>\n</mime-info>\n',
      then: [['update-mime-database', mime] as const],
    },
    {
      path: join(applications, 'outrank.desktop'),
      text:
        '[Desktop Entry]\nType=Application\nName=Outrank\nComment=Windows performance traces\n' +
        `Exec=${program.map(quoteForDesktop).join(' ')} %u\nTerminal=false\nNoDisplay=true\n` +
        `MimeType=${scheme};${type};\n`,
      then: [
        ['update-desktop-database', applications] as const,
        ['xdg-mime', 'default', 'outrank.desktop', scheme] as const,
        ['xdg-mime', 'default', 'outrank.desktop', type] as const,
      ],
    },
  ];
}

/** The values in the registry that make Windows open links and bundles with a program, as arguments of `reg add`. */
export function windowsEntries(program: readonly string[]): string[][] {
  const classes = 'HKCU\\Software\\Classes';
  const command = [...program, '%1'].map((each) => `"${each}"`).join(' ');
  return [
    [`${classes}\\${LINK_SCHEME}`, '/ve', '/d', 'URL:Outrank'],
    [`${classes}\\${LINK_SCHEME}`, '/v', 'URL Protocol', '/d', ''],
    [`${classes}\\${LINK_SCHEME}\\shell\\open\\command`, '/ve', '/d', command],
    [`${classes}\\.outrank`, '/ve', '/d', 'Outrank.Bundle'],
    [`${classes}\\Outrank.Bundle\\shell\\open\\command`, '/ve', '/d', command],
  ];
}

/** As the Desktop Entry Specification quotes an argument of `Exec`. */
function quoteForDesktop(text: string): string {
  return `"${text
    .replace(/[\\"`$]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`;
}

async function attempt(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, [...args]).catch((error: unknown) => {
    say(`${command} did not work: ${error instanceof Error ? error.message.trim() : String(error)}`);
  });
}

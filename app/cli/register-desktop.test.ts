import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, temporaryFolder } from '../host/testing/real.ts';

const tools = ['xdg-mime', 'gio', 'update-mime-database'];
const isThere = (tool: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));
const missing = tools.filter((tool) => !isThere(tool));
if (missing.length > 0) console.warn(`SKIPPED: the registration, since there is no ${missing.join(', ')}`);

describe.skipIf(missing.length > 0)('on a Linux desktop', () => {
  const home = temporaryFolder();
  const data = join(home, 'share');
  const env = {
    ...process.env,
    HOME: home,
    XDG_DATA_HOME: data,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CURRENT_DESKTOP: 'X-Generic',
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  };
  const ask = (program: string, ...args: string[]): string =>
    execFileSync(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();

  test('Outrank is what opens links and bundles, once it is registered', () => {
    mkdirSync(env.XDG_CONFIG_HOME, { recursive: true });
    ask(process.execPath, join(root, 'app', 'cli', 'outrank.mjs'), 'link', 'register');
    expect(ask('xdg-mime', 'query', 'default', 'x-scheme-handler/outrank')).toBe('outrank.desktop');
    expect(ask('xdg-mime', 'query', 'default', 'application/x-outrank')).toBe('outrank.desktop');
    const bundle = join(home, 'story.outrank');
    writeFileSync(bundle, 'what is in it does not matter');
    expect(ask('gio', 'info', '-a', 'standard::content-type', bundle)).toContain('application/x-outrank');
  });

  test('the system starts it with the link, or with the bundle by its path', () => {
    // What is started writes down how it was started, in the place of the window.
    const seen = join(home, 'seen');
    const standIn = join(home, 'stand-in.mjs');
    writeFileSync(
      standIn,
      `import { appendFileSync } from 'node:fs'; appendFileSync('${seen}', process.argv.at(-1) + '\\n');`,
    );
    const file = join(data, 'applications', 'outrank.desktop');
    const entry = readFileSync(file, 'utf8').replace(/"[^"]*outrank\.mjs"/, `"${standIn}"`);
    expect(entry).toContain(`"${standIn}" "open" %u`);
    writeFileSync(file, entry);
    const bundle = join(home, 'story.outrank');
    ask('gio', 'open', 'outrank://open#3.q1YqySzJSVWyUkpUqgUA');
    ask('gio', 'open', bundle);
    const lines = () => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n') : []);
    return expect.poll(lines, { timeout: 20_000 }).toEqual(['outrank://open#3.q1YqySzJSVWyUkpUqgUA', bundle]);
  });
});

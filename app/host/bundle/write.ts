import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { LinkState } from '../../../shared/link/index.ts';
import { ENTRY_TIME, textEntries, traceEntries } from './entries.ts';

const ENTRY = { mtime: ENTRY_TIME, mode: 0o100_644, forceDosTimestamp: true };

/** Writes a bundle of a trace's files, whole or not at all. The same input gives the same bytes. */
export async function writeBundle(
  output: string,
  state: LinkState,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const names = traceEntries(files.map((path) => basename(path)));
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  for (const [name, text] of textEntries(state)) zip.addBuffer(Buffer.from(text), name, ENTRY);
  for (const [at, path] of files.entries()) zip.addFile(path, names[at] ?? '', ENTRY);
  zip.end();
  const partial = `${output}.${randomBytes(8).toString('hex')}`;
  try {
    const written = pipeline(zip.outputStream, createWriteStream(partial), { ...(signal && { signal }) });
    await Promise.race([written, failed]);
    await rename(partial, output);
  } finally {
    await rm(partial, { force: true });
  }
}

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LinkState } from '../../../shared/link/index.ts';
import { ENTRY_TIME, otherFolder, textEntries, traceEntries } from './entries.ts';

const ENTRY = { mtime: ENTRY_TIME, mode: 0o100_644, forceDosTimestamp: true };

/**
 * Writes a bundle of a trace's files, and of those of each trace that it is compared with; whole or not at all. The same input gives the
 * same bytes.
 */
export async function writeBundle(
  output: string,
  state: LinkState,
  files: readonly string[],
  signal?: AbortSignal,
  others: readonly (readonly string[])[] = [],
): Promise<void> {
  const entries = [files, ...others].flatMap((paths, at) => {
    const names = paths.map((path) => basename(path));
    const inside = at === 0 ? traceEntries(names) : traceEntries(names, otherFolder(at - 1));
    return paths.map((path, number) => [path, inside[number] ?? ''] as const);
  });
  // Loaded only where a bundle is written: most commands write none.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  for (const [name, text] of textEntries(state)) zip.addBuffer(Buffer.from(text), name, ENTRY);
  for (const [path, name] of entries) zip.addFile(path, name, ENTRY);
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

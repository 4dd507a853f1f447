import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { writeState, type LinkState } from '../../../shared/link/index.ts';
import { OpenError } from '../api.ts';
import { isFileName, PANEL_FOLDER, PANEL_SUFFIX, STATE_ENTRY, TRACE_FOLDER } from './format.ts';

/** Entries tell neither when nor by whom a file was made. */
const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100_644, forceDosTimestamp: true };

/** Writes a bundle of a trace's files, whole or not at all. The same input gives the same bytes. */
export async function writeBundle(
  output: string,
  state: LinkState,
  files: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const names = files.map((path) => basename(path));
  const bad = names.find((name, at) => !isFileName(name) || names.indexOf(name) !== at);
  if (bad !== undefined)
    throw new OpenError('file', `${bad}: two files have this name, or it cannot be a file's on every system`);
  const zip = new ZipFile();
  const failed = new Promise<never>((_, reject) => zip.on('error', reject));
  const { panels, ...rest } = state;
  const withMore = panels.flatMap(({ name, params, pinned }) =>
    params === undefined && pinned === undefined ? [] : [{ name, params, pinned }],
  );
  const said = {
    ...writeState({ ...rest, panels: [] }),
    ...(withMore.length > 0 && { panels: withMore }),
  };
  zip.addBuffer(json(said), STATE_ENTRY, ENTRY);
  for (const { name, sql } of panels)
    zip.addBuffer(Buffer.from(sql), `${PANEL_FOLDER}${name}${PANEL_SUFFIX}`, ENTRY);
  for (const [at, path] of files.entries()) zip.addFile(path, `${TRACE_FOLDER}${names[at] ?? ''}`, ENTRY);
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

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

import { randomBytes } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { linkedTrace, readState, type LinkState } from '../../shared/link/index.ts';
import { OpenError, type Gift, type OpenOptions, type SentTrace, type TeamServer } from './api.ts';
import { isBundle } from './bundle/format.ts';
import { writeBundle } from './bundle/write.ts';
import { exportRecording } from './export.ts';
import { exportName } from './export-request.ts';
import { identify } from './identify.ts';
import { addressOf } from './remote/server.ts';
import { uploadTrace, type UploadOptions } from './remote/upload.ts';

/** A recording that is to be given away. */
export interface GiftOptions {
  /** The binary `outrank-convert`. */
  readonly converter: string;
  /** Where an export lies while it is given away. */
  readonly dir: string;
  /** The files of the recording. */
  readonly files: readonly string[];
  readonly gift: Gift;
  readonly options: OpenOptions;
}

/** Lets `use` have the files to give away: an export, which is removed afterwards, or those of the recording. */
async function withFiles<T>(
  { converter, dir, files, gift, options }: GiftOptions,
  use: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  if (gift === null) return use(files);
  const { signal, onProgress } = options;
  const folder = join(dir, randomBytes(8).toString('hex'));
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const output = join(folder, exportName(basename(files[0] ?? '')));
    await exportRecording({
      converter,
      inputs: files,
      output,
      request: gift,
      signal,
      onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }),
    });
    return await use([output]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uploads a recording to a team server. */
export function sendRecording(
  given: GiftOptions,
  to: TeamServer,
  said: Pick<UploadOptions, 'keptMs' | 'tags'> = {},
): Promise<SentTrace> {
  return withFiles(given, async ([path = '', ...others]) => {
    if (others.length > 0)
      throw new OpenError(
        'selection',
        'a server keeps single files: send an export, or one .zip of them all',
      );
    const { signal, onProgress } = given.options;
    const { url, deleteToken } = await uploadTrace({
      path,
      to: addressOf(to),
      token: to.token,
      ...said,
      signal,
      onProgress: (stage, fraction) => onProgress?.({ stage, fraction }),
    });
    const id = /\/t\/([0-9a-f]{64})$/.exec(new URL(url).pathname)?.[1];
    if (id === undefined) throw new OpenError('server', `${to.origin}: what answers there is no team server`);
    return { id, name: basename(path), sizeBytes: (await stat(path)).size, url, deleteToken };
  });
}

/**
 * Writes a recording and a place in it to a bundle.
 * @param others the files of each recording that the place compares with it; an export goes without them
 */
export function bundleRecording(
  given: GiftOptions,
  place: unknown,
  output: string,
  others: readonly (readonly string[])[],
): Promise<void> {
  return withFiles(given, async (files) => {
    const compared = given.gift === null ? others : [];
    const nested = [files, ...compared].flat().find(isBundle);
    if (nested !== undefined)
      throw new OpenError('selection', `${nested}: a bundle holds a trace, not a bundle`);
    const [first = '', ...more] = files;
    const { state } = readState(place);
    // What an export holds is all that there is of it; of files as they are the link may show a part.
    const part = given.gift === null ? state.trace?.part : undefined;
    const expected = given.gift === null ? state.trace?.id : undefined;
    const { signal } = given.options;
    const { id, name, sizeBytes } = await identify(first, {
      part,
      expected,
      with: more,
      ...(signal && { signal }),
    });
    const names = more.length === 0 ? undefined : files.map((path) => basename(path));
    const trace: LinkState['trace'] = linkedTrace({ id, name, sizeBytes, files: names, part });
    await writeBundle(output, { ...state, trace }, files, signal, compared);
  });
}

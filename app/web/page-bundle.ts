import { linkedTrace, readState, type LinkState } from '../../shared/link/index.ts';
import { OpenError, type OpenOptions } from '../host/api.ts';
import { otherFolder, textEntries, traceEntries } from '../host/bundle/entries.ts';
import { isBundle } from '../host/bundle/format.ts';
import { partId, recordingId } from '../host/recording-id.ts';
import { WHOLE } from '../host/part.ts';
import type { GivenFile, UnpackedFile } from './job.ts';
import type { KeptTraces } from './kept-traces.ts';
import { hashFiles, packBundle, unpackBundle } from './workers.ts';

/** A bundle whose files are at hand. */
export interface OpenedBundle {
  readonly files: readonly UnpackedFile[];
  /** Those of each recording that its place compares with this one. */
  readonly others: readonly (readonly UnpackedFile[])[];
  /** How its trace is to be opened, by what the bundle says. */
  readonly options: Pick<OpenOptions, 'part' | 'expected'>;
  /** What it says, as JSON; a stranger's. */
  readonly state: unknown;
  /** Lets the files go. */
  readonly release: () => void;
}

/** Unpacks a bundle: into the origin's private file system, or into memory. */
export async function openBundle(
  kept: KeptTraces,
  file: GivenFile,
  { part, signal, onProgress }: OpenOptions,
): Promise<OpenedBundle> {
  const folder = await kept.folder();
  try {
    const { files, others, state } = await unpackBundle(
      { file, folder: folder?.name ?? null },
      { signal, onProgress: (fraction) => onProgress?.({ stage: 'hash', fraction: fraction / 2 }) },
    );
    const { trace } = readState(state).state;
    const options = part === undefined ? { part: trace?.part, expected: trace?.id } : { part };
    return { files, others, options, state, release: () => folder?.release() };
  } catch (error) {
    folder?.release();
    await kept.remove([]);
    throw error;
  }
}

/** What of a recording goes into a bundle. */
export interface GivenRecording {
  /** Its files, or the one export of it. */
  readonly files: readonly GivenFile[];
  /** Those of each recording that the place compares with it; an export goes without them. */
  readonly others: readonly (readonly GivenFile[])[];
  /** The place to show. */
  readonly place: unknown;
  /** False for an export: what it holds is all that there is of it. */
  readonly isAsItIs: boolean;
}

/** Writes a bundle into memory, or into a folder that is held until the page is gone. */
export async function writeBundle(
  kept: KeptTraces,
  { files, others, place, isAsItIs }: GivenRecording,
  { signal, onProgress }: OpenOptions,
): Promise<Blob> {
  const namesOf = (of: readonly GivenFile[]) => of.map(({ path }) => path.split('/').at(-1) ?? path);
  const names = namesOf(files);
  const nested = names.find(isBundle);
  if (nested !== undefined)
    throw new OpenError('selection', `${nested}: a bundle holds a trace, not a bundle`);
  const { state } = readState(place);
  const part = isAsItIs ? state.trace?.part : undefined;
  const whole = recordingId(await hashFiles(files, { signal }));
  const trace: LinkState['trace'] = linkedTrace({
    id: partId(whole, part ?? WHOLE),
    name: names.join(' + '),
    sizeBytes: files.reduce((sum, { blob }) => sum + blob.size, 0),
    files: files.length === 1 ? undefined : names,
    part,
  });
  const compared = isAsItIs ? others : [];
  const entries = [
    ...traceEntries(names),
    ...compared.flatMap((of, at) => traceEntries(namesOf(of), otherFolder(at))),
  ];
  const folder = await kept.folder();
  return packBundle(
    {
      texts: textEntries({ ...state, trace }),
      files: [...files, ...compared.flat()].map(({ blob }, at) => ({ name: entries[at] ?? '', blob })),
      folder: folder?.name ?? null,
    },
    { signal, onProgress: (fraction) => onProgress?.({ stage: 'convert', fraction }) },
  );
}

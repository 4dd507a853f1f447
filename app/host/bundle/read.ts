import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import * as yauzl from 'yauzl';
import { OpenError } from '../api.ts';
import {
  isFileName,
  MOST,
  MOST_INFLATION,
  PANEL_FOLDER,
  PANEL_SUFFIX,
  STATE_ENTRY,
  TRACE_FOLDER,
} from './format.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** What is in a bundle, before anything of it is unpacked. */
export interface BundleContents {
  /** The state of a link, as JSON; a stranger's. */
  readonly state: unknown;
  /** The names of the recording's files. */
  readonly files: readonly string[];
  /** Of all files of the trace, unpacked. */
  readonly trace_bytes: number;
  /** Unpacks the files of the trace into a new folder. */
  unpack(folder: string, options: UnpackOptions): Promise<void>;
}

/** Progress and cancel of unpacking. */
export interface UnpackOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onWritten?: (bytes: number) => void;
}

/** Reads what is in a bundle, lets `use` have it, and closes it. Rejects with `OpenError` if it is none that may be opened. */
export async function withBundle<T>(path: string, use: (contents: BundleContents) => Promise<T>): Promise<T> {
  const zip = await openZip(path).catch((error: unknown) => {
    throw wrong(path, `no zip that can be read: ${messageOf(error)}`);
  });
  try {
    return await use(await readContents(path, zip));
  } catch (error) {
    if (error instanceof OpenError || isAbort(error) || isSystem(error)) throw error;
    throw wrong(path, messageOf(error));
  } finally {
    zip.close();
  }
}

function openZip(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
    yauzl.open(path, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

async function readContents(path: string, zip: yauzl.ZipFile): Promise<BundleContents> {
  if (zip.entryCount > MOST.entries)
    throw wrong(path, `${zip.entryCount} entries, and ${MOST.entries} is the most`);
  const entries = new Map<string, yauzl.Entry>();
  for (const entry of await listEntries(zip)) {
    if (entries.has(entry.fileName)) throw wrong(path, `“${entry.fileName}” is in it twice`);
    entries.set(entry.fileName, entry);
  }
  const traces = [...entries.values()].filter(({ fileName }) => fileName.startsWith(TRACE_FOLDER));
  const files = traces.map(({ fileName }) => fileName.slice(TRACE_FOLDER.length));
  const bad = files.find((name) => !isFileName(name));
  if (bad !== undefined) throw wrong(path, `“${bad}” is no name of a file`);
  if (files.length === 0) throw wrong(path, 'there is no trace in it');
  const trace_bytes = sum(traces.map(({ uncompressedSize }) => uncompressedSize));
  const packed_bytes = sum(traces.map(({ compressedSize }) => compressedSize));
  if (trace_bytes > MOST.trace_bytes)
    throw wrong(path, `the trace in it has ${trace_bytes} bytes, and ${MOST.trace_bytes} is the most`);
  if (packed_bytes > zip.fileSize) throw wrong(path, 'its entries overlap');
  const { from_bytes, factor } = MOST_INFLATION;
  if (trace_bytes > from_bytes && trace_bytes > packed_bytes * factor)
    throw wrong(path, `it would fill the disk: ${packed_bytes} bytes become ${trace_bytes}`);
  const state = await readState(path, zip, entries);
  return {
    state,
    files,
    trace_bytes,
    async unpack(folder, { signal, onWritten }) {
      await mkdir(folder, { recursive: true });
      for (const [at, entry] of traces.entries()) {
        const counter = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            onWritten?.(chunk.length);
            done(null, chunk);
          },
        });
        const target = createWriteStream(join(folder, files[at] ?? ''), { flags: 'wx' });
        await pipeline(await openEntry(zip, entry), counter, target, { ...(signal && { signal }) });
      }
    },
  };
}

/** What a bundle's state says of panels: their texts are files of their own. */
const namedPanels = v.array(
  v.object({ name: v.string(), params: v.optional(v.unknown()), pinned: v.optional(v.unknown()) }),
);

/** The state, with the panels that are files of their own. */
async function readState(
  path: string,
  zip: yauzl.ZipFile,
  entries: ReadonlyMap<string, yauzl.Entry>,
): Promise<unknown> {
  const text = async (entry: yauzl.Entry, most_bytes: number): Promise<string> => {
    if (entry.uncompressedSize > most_bytes)
      throw wrong(path, `${entry.fileName} has more than ${most_bytes} bytes`);
    const parts: Buffer[] = [];
    for await (const part of (await openEntry(zip, entry)) as AsyncIterable<Buffer>) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  };
  const entry = entries.get(STATE_ENTRY);
  if (entry === undefined) throw wrong(path, `there is no ${STATE_ENTRY} in it`);
  let state: unknown;
  try {
    state = JSON.parse(await text(entry, MOST.state_bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong(path, `${STATE_ENTRY} is not JSON`);
    throw error;
  }
  const said = saidOfPanels(state);
  const panels = [];
  for (const [name, panel] of entries) {
    if (!name.startsWith(PANEL_FOLDER) || !name.endsWith(PANEL_SUFFIX)) continue;
    const short = name.slice(PANEL_FOLDER.length, -PANEL_SUFFIX.length);
    const sql = await text(panel, MOST.panel_bytes);
    panels.push({ ...said.get(short), name: short, sql });
  }
  return typeof state === 'object' && state !== null && panels.length > 0 ? { ...state, panels } : state;
}

async function listEntries(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });
}

/** What an entry holds. It ends with an error if it holds more or less than it declared. */
function openEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

function wrong(path: string, why: string): OpenError {
  return new OpenError('not_a_trace', `${path}: not a bundle that can be opened: ${why}`);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether it is the system that refused, as where the disk is full; a zip that is broken says so with codes of its own. */
function isSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** What the state says of panels, by their names; what does not fit is told of where the whole state is read. */
function saidOfPanels(state: unknown): ReadonlyMap<string, object> {
  const result = v.safeParse(v.object({ panels: namedPanels }), state);
  return new Map(result.success ? result.output.panels.map((panel) => [panel.name, panel]) : []);
}

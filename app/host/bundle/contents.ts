/** What a bundle holds, checked before anything of it is unpacked; whichever library reads the zip. */
import * as v from 'valibot';
import { readState } from '../../../shared/link/index.ts';
import { OpenError } from '../api.ts';
import { otherFolder } from './entries.ts';
import {
  isFileName,
  MOST,
  MOST_INFLATION,
  PANEL_FOLDER,
  PANEL_SUFFIX,
  STATE_ENTRY,
  TRACE_FOLDER,
} from './format.ts';

/** An entry of a zip, as the zip declares it. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  readonly packed_bytes: number;
  /** What it holds. Ends with an error if it holds more or less than it declared. */
  read(): AsyncIterable<Uint8Array>;
}

/** A zip whose entries are listed and not read yet. */
export interface Zip<E extends ZipEntry> {
  /** Of the zip itself. */
  readonly bytes: number;
  readonly entries: readonly E[];
}

/** What is in a bundle, before anything of it is unpacked. */
export interface Contents<E extends ZipEntry> {
  /** The state of a link, as JSON; a stranger's. */
  readonly state: unknown;
  /** The files of the recording, in its order. */
  readonly files: readonly { readonly name: string; readonly entry: E }[];
  /** The files of each trace that the place compares with the first. */
  readonly others: readonly (readonly { readonly name: string; readonly entry: E }[])[];
  /** Of all files of all traces, unpacked. */
  readonly trace_bytes: number;
}

/** Reads what is in a bundle called `path`. Rejects with `OpenError` if it is none that may be opened. */
export async function readContents<E extends ZipEntry>(path: string, zip: Zip<E>): Promise<Contents<E>> {
  checkCount(path, zip.entries.length);
  const entries = new Map<string, E>();
  for (const entry of zip.entries) {
    if (entries.has(entry.name)) throw wrong(path, `“${entry.name}” is in it twice`);
    entries.set(entry.name, entry);
  }
  const within = (folder: string) =>
    [...entries.values()]
      .filter(({ name }) => name.startsWith(folder))
      .map((entry) => ({ name: entry.name.slice(folder.length), entry }));
  const files = within(TRACE_FOLDER);
  const others: (typeof files)[] = [];
  for (let next = within(otherFolder(0)); next.length > 0; next = within(otherFolder(others.length)))
    others.push(next);
  const all = [...files, ...others.flat()];
  const traces = all.map(({ entry }) => entry);
  const bad = all.find(({ name }) => !isFileName(name));
  if (bad !== undefined) throw wrong(path, `“${bad.name}” is no name of a file`);
  if (files.length === 0) throw wrong(path, 'there is no trace in it');
  const trace_bytes = sum(traces.map(({ bytes }) => bytes));
  const packed_bytes = sum(traces.map((entry) => entry.packed_bytes));
  if (trace_bytes > MOST.trace_bytes)
    throw wrong(path, `the trace in it has ${trace_bytes} bytes, and ${MOST.trace_bytes} is the most`);
  if (packed_bytes > zip.bytes) throw wrong(path, 'its entries overlap');
  const { from_bytes, factor } = MOST_INFLATION;
  if (trace_bytes > from_bytes && trace_bytes > packed_bytes * factor)
    throw wrong(path, `it would fill the disk: ${packed_bytes} bytes become ${trace_bytes}`);
  const state = await stateOf(path, entries);
  return { state, files: inOrder(files, state), others, trace_bytes };
}

/** Refuses a bundle that says it has more entries than any has. */
export function checkCount(path: string, count: number): void {
  if (count > MOST.entries) throw wrong(path, `${count} entries, and ${MOST.entries} is the most`);
}

/** Why a file is no bundle that can be opened. */
export function wrong(path: string, why: string): OpenError {
  return new OpenError('not_a_trace', `${path}: not a bundle that can be opened: ${why}`);
}

/** What a bundle's state says of panels: their texts are files of their own. */
const namedPanels = v.array(
  v.object({ name: v.string(), params: v.optional(v.unknown()), pinned: v.optional(v.unknown()) }),
);

/** The state, with the panels that are files of their own. */
async function stateOf(path: string, entries: ReadonlyMap<string, ZipEntry>): Promise<unknown> {
  const text = async (entry: ZipEntry, most_bytes: number): Promise<string> => {
    if (entry.bytes > most_bytes) throw wrong(path, `${entry.name} has more than ${most_bytes} bytes`);
    const decoder = new TextDecoder();
    let all = '';
    for await (const part of entry.read()) all += decoder.decode(part, { stream: true });
    return all + decoder.decode();
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

/** What the state says of panels, by their names. What does not fit is reported where the whole state is read. */
function saidOfPanels(state: unknown): ReadonlyMap<string, object> {
  const result = v.safeParse(v.object({ panels: namedPanels }), state);
  return new Map(result.success ? result.output.panels.map((panel) => [panel.name, panel]) : []);
}

/** The files in the order of the recording, which its id depends on. */
function inOrder<F extends { readonly name: string }>(files: readonly F[], state: unknown): readonly F[] {
  const said = readState(state).state.trace?.files ?? [];
  const ordered = said.flatMap((name) => files.filter((file) => file.name === name));
  return ordered.length === files.length && said.length === files.length ? ordered : files;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

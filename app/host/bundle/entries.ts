import { writeState, type LinkState } from '../../../shared/link/index.ts';
import { OpenError } from '../api.ts';
import {
  isFileName,
  OTHERS_FOLDER,
  PANEL_FOLDER,
  PANEL_SUFFIX,
  STATE_ENTRY,
  TRACE_FOLDER,
} from './format.ts';

/** When all entries of a bundle were made, as they say: they tell neither when nor by whom a file was made. */
export const ENTRY_TIME = new Date(1980, 0, 1);

/** The names of the entries of a recording's files, in their order. Throws if two are the same, or one is no file's everywhere. */
export function traceEntries(names: readonly string[], folder: string = TRACE_FOLDER): readonly string[] {
  const bad = names.find((name, at) => !isFileName(name) || names.indexOf(name) !== at);
  if (bad !== undefined)
    throw new OpenError('file', `${bad}: two files have this name, or it cannot be a file's on every system`);
  return names.map((name) => folder + name);
}

/** The folder of a trace that is compared with the first, by its place among these. */
export function otherFolder(at: number): string {
  return `${OTHERS_FOLDER}${at + 1}/`;
}

/** The entries of a bundle that are texts: its state, and its panels. */
export function textEntries(state: LinkState): readonly (readonly [name: string, text: string])[] {
  const { panels, ...rest } = state;
  const withMore = panels.flatMap(({ name, params, pinned }) =>
    params === undefined && pinned === undefined ? [] : [{ name, params, pinned }],
  );
  const said = {
    ...writeState({ ...rest, panels: [] }),
    ...(withMore.length > 0 && { panels: withMore }),
  };
  return [
    [STATE_ENTRY, `${JSON.stringify(said, null, 2)}\n`],
    ...panels.map(({ name, sql }) => [`${PANEL_FOLDER}${name}${PANEL_SUFFIX}`, sql] as const),
  ];
}

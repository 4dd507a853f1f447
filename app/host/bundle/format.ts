/** What is in a bundle; the README tells the layout. */
export const STATE_ENTRY = 'state.json';
export const TRACE_FOLDER = 'trace/';
/** Of traces that the shown place compares with the first: a folder each, by its number. */
export const OTHERS_FOLDER = 'others/';
export const PANEL_FOLDER = 'panels/';
export const PANEL_SUFFIX = '.panel.sql';

/** What of a bundle is read; more is refused. */
export const MOST = {
  entries: 400,
  state_bytes: 1 << 20,
  panel_bytes: 1 << 16,
  /** Of all files of the trace together. */
  trace_bytes: 32 * 1024 ** 3,
} as const;

/** Traces shrink to a tenth; a large one that shrinks to less than this part is made to fill the disk. */
export const MOST_INFLATION = { from_bytes: 1024 ** 3, factor: 200 } as const;

/** Whether a path is that of a bundle, by its ending. */
export function isBundle(path: string): boolean {
  return /\.outrank$/i.test(path);
}

/** Whether a name is a file's on all three systems, and no way to another folder. */
export function isFileName(name: string): boolean {
  return (
    // eslint-disable-next-line no-control-regex -- control characters are what is refused
    /^[^\x00-\x1f\x7f<>:"/\\|?*]{1,200}$/.test(name) &&
    !/^\.+$|[. ]$/.test(name) &&
    !/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
  );
}

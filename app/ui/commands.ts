import { exportShown } from './export/run-export.ts';
import { formatTime } from '../../shared/model/index.ts';
import { views } from '../../views/index.ts';
import { panRange, rangeAround, zoomRange } from '../../views/kit/index.ts';
import { isEmpty, NO_SELECTION } from '../../shared/link/index.ts';
import { bothAxis, type TimeAxis } from './compare/both.ts';
import { openCompare } from './compare/place.ts';
import { copyLink } from './link/copy-link.ts';
import { linkDialogShown } from './link/link-dialog.tsx';
import { openLinkShown } from './link/open-link-dialog.tsx';
import { openPanels } from './panels/places.ts';
import { openQuery } from './query/place-sql.ts';
import type { Session } from './session.ts';
import {
  asTables,
  goTo,
  issuesShown,
  keysShown,
  loaded,
  marks,
  openView,
  paletteShown,
  range,
  selection,
  shownTheme,
  theme,
  toggleDetails,
  toggleMark,
  zoomTo,
} from './state.ts';
import { symbolsShown } from './symbols/load.ts';

/** One thing that a key does. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Time' | 'View' | 'Views' | 'App';
  /** By place on the keyboard (`KeyW`), whatever the layout says, or by character (`?`). */
  readonly keys: readonly KeyChord[];
  /** In the group of the app, but of use only while a trace is open. */
  readonly ofTrace?: true;
  run(session: Session): void;
}

/** A key with the modifiers that it needs. */
export interface KeyChord {
  readonly code?: string;
  readonly key?: string;
  /** Ctrl, or Command on a Mac. */
  readonly mod?: true;
  /** Said only where a key means one thing with Shift and another without. */
  readonly shift?: boolean;
  readonly alt?: true;
  /** As the list of keys shows it. */
  readonly label: string;
}

const ZOOM_FACTOR = 0.8;
const PAN_PART = 0.15;
const FRAME_MARGIN = 0.08;
/** So much is shown around what is chosen where others are looked for that had to do with it. */
const AROUND_MARGIN = 0.4;

/** All keys of the app; the list that `?` shows is made from it. */
export const commands: readonly Command[] = [
  {
    id: 'zoom-in',
    title: 'Zoom in',
    group: 'Time',
    keys: [
      { code: 'KeyW', label: 'W' },
      { key: '+', label: '+' },
    ],
    run: () => zoomBy(ZOOM_FACTOR),
  },
  {
    id: 'zoom-out',
    title: 'Zoom out',
    group: 'Time',
    keys: [
      { code: 'KeyS', label: 'S' },
      { key: '-', label: '−' },
    ],
    run: () => zoomBy(1 / ZOOM_FACTOR),
  },
  {
    id: 'pan-left',
    title: 'Move to earlier',
    group: 'Time',
    keys: [
      { code: 'KeyA', label: 'A' },
      { key: 'ArrowLeft', label: '←' },
    ],
    run: () => panBy(-PAN_PART),
  },
  {
    id: 'pan-right',
    title: 'Move to later',
    group: 'Time',
    keys: [
      { code: 'KeyD', label: 'D' },
      { key: 'ArrowRight', label: '→' },
    ],
    run: () => panBy(PAN_PART),
  },
  {
    id: 'frame',
    title: 'Zoom to the selection, or else to the marks; again, or without these: the whole trace',
    group: 'Time',
    keys: [{ code: 'KeyF', label: 'F' }],
    run: frameSelection,
  },
  {
    id: 'whole-trace',
    title: 'Show the whole trace',
    group: 'Time',
    keys: [{ key: '0', label: '0' }],
    run: () => axisNow()?.reset(),
  },
  {
    id: 'search',
    title: 'Search: type what the view shows only; where it has no such filter, find in the palette',
    group: 'View',
    keys: [{ key: '/', label: '/' }],
    run: search,
  },
  {
    id: 'mark',
    title: 'Mark the time of what is chosen in all views; on a row, or under the pointer, that',
    group: 'View',
    keys: [{ code: 'KeyM', shift: false, label: 'M' }],
    run: markSelection,
  },
  {
    id: 'clear-marks',
    title: 'Remove all marks',
    group: 'View',
    keys: [{ code: 'KeyM', shift: true, label: 'Shift M' }],
    run: () => goTo({ marks: [] }),
  },
  {
    id: 'into-view',
    title: 'Into the view: Tab goes on from there, ↑ and ↓ scroll',
    group: 'View',
    keys: [{ code: 'KeyV', label: 'V' }],
    run: () => document.querySelector<HTMLElement>('.view-canvas')?.focus({ preventScroll: true }),
  },
  {
    id: 'tables',
    title: 'Show the view as tables, or as a picture',
    group: 'View',
    keys: [{ code: 'KeyT', shift: false, label: 'T' }],
    run: () => (asTables.value = !asTables.peek()),
  },
  {
    id: 'show-in-timeline',
    title: 'Show what is chosen in the timeline, its tracks at the top',
    group: 'View',
    keys: [{ code: 'KeyT', shift: true, label: 'Shift T' }],
    run: showInTimeline,
  },
  {
    id: 'details',
    title: 'Show or hide the details',
    group: 'View',
    keys: [{ code: 'KeyI', label: 'I' }],
    run: toggleDetails,
  },
  {
    id: 'escape',
    title: 'Close what is open, else drop the selection',
    group: 'View',
    keys: [{ key: 'Escape', label: 'Esc' }],
    run: escape,
  },
  {
    id: 'back',
    title: 'Back to where you were',
    group: 'App',
    keys: [{ key: 'ArrowLeft', alt: true, label: 'Alt ←' }],
    run: () => history.back(),
  },
  {
    id: 'forward',
    title: 'Forward again',
    group: 'App',
    keys: [{ key: 'ArrowRight', alt: true, label: 'Alt →' }],
    run: () => history.forward(),
  },
  {
    id: 'palette',
    title: 'Command palette',
    group: 'App',
    keys: [
      { code: 'KeyP', mod: true, shift: true, label: 'Ctrl Shift P' },
      { code: 'KeyK', mod: true, label: 'Ctrl K' },
    ],
    run: () => (paletteShown.value = true),
  },
  {
    id: 'query',
    title: 'Ask the trace in SQL',
    group: 'Views',
    keys: [{ code: 'KeyQ', label: 'Q' }],
    run: () => openQuery(),
  },
  {
    id: 'panels',
    title: 'Panels: questions in SQL, drawn',
    group: 'Views',
    keys: [{ code: 'KeyP', label: 'P' }],
    run: openPanels,
  },
  {
    id: 'compare',
    title: 'Compare with another trace',
    group: 'Views',
    keys: [{ code: 'KeyB', label: 'B' }],
    run: openCompare,
  },
  {
    id: 'open',
    title: 'Open a trace',
    group: 'App',
    keys: [{ code: 'KeyO', mod: true, shift: false, label: 'Ctrl O' }],
    run: (session) => void session.chooseFile(),
  },
  {
    id: 'copy-link',
    title: 'Copy a link to this place',
    group: 'App',
    ofTrace: true,
    keys: [{ code: 'KeyC', shift: false, label: 'C' }],
    run: (session) => void copyLink(session),
  },
  {
    id: 'name-link',
    title: 'Name a link to this place; see what it says',
    group: 'App',
    ofTrace: true,
    keys: [{ code: 'KeyC', shift: true, label: 'Shift C' }],
    run: () => (linkDialogShown.value = loaded.peek() !== null),
  },
  {
    id: 'open-link',
    title: 'Open a link',
    group: 'App',
    keys: [{ code: 'KeyO', mod: true, shift: true, label: 'Ctrl Shift O' }],
    run: () => (openLinkShown.value = true),
  },
  {
    id: 'export',
    title: 'Export the trace to give it away',
    group: 'App',
    ofTrace: true,
    keys: [{ code: 'KeyE', mod: true, label: 'Ctrl E' }],
    run: ({ door }) => (exportShown.value = loaded.peek() !== null && door.saveAs !== undefined),
  },
  {
    id: 'symbols',
    title: 'Symbols: name the functions in stacks',
    group: 'App',
    ofTrace: true,
    keys: [{ code: 'KeyY', label: 'Y' }],
    run: () => (symbolsShown.value = loaded.peek() !== null),
  },
  {
    id: 'theme',
    title: 'Dark or light',
    group: 'App',
    keys: [{ code: 'KeyL', label: 'L' }],
    run: () => (theme.value = shownTheme.peek() === 'dark' ? 'light' : 'dark'),
  },
  {
    id: 'keys',
    title: 'Show these keys',
    group: 'App',
    keys: [{ key: '?', label: '?' }],
    run: () => (keysShown.value = true),
  },
  ...views.map(({ id, title }, index): Command => ({
    id: `view-${id}`,
    title,
    group: 'Views',
    keys: index < 9 ? [{ key: String(index + 1), label: String(index + 1) }] : [],
    run: () => openView(id),
  })),
];

/** The command that a key press asks for. */
export function commandFor(
  event: Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
) {
  const mod = event.ctrlKey || event.metaKey;
  return commands.find(({ keys }) =>
    keys.some((chord) => {
      const same = chord.code === undefined ? chord.key === event.key : chord.code === event.code;
      return (
        same &&
        (chord.mod ?? false) === mod &&
        (chord.alt ?? false) === event.altKey &&
        (chord.shift ?? event.shiftKey) === event.shiftKey
      );
    }),
  );
}

/** Lets the keys run commands, except where text is typed and below a dialog. */
export function bindKeys(session: Session): void {
  addEventListener('keydown', (event) => {
    const { target } = event;
    const typing =
      target instanceof HTMLElement && target.matches('input, select, textarea, .palette *, .cm-content');
    if (event.defaultPrevented) return;
    // A modal dialog has the keyboard for itself: Escape is left to the browser, which closes it.
    if (document.querySelector('dialog:modal') !== null) return;
    if (typing && event.key === 'Escape') target.blur();
    if (typing && !event.ctrlKey && !event.metaKey) return;
    const command = commandFor(event);
    if (command === undefined) return;
    event.preventDefault();
    command.run(session);
  });
}

/** The axis of time that is shown: of two traces, or else of the open one. */
function axisNow(): TimeAxis | null {
  const bounds = loaded.peek()?.summary.range;
  if (bounds === undefined) return null;
  return bothAxis.peek() ?? { range: range.peek(), bounds, zoomTo, reset: () => goTo({ range: null }) };
}

function zoomBy(factor: number): void {
  const axis = axisNow();
  if (axis === null) return;
  const { start, end } = axis.range;
  axis.zoomTo(zoomRange(axis.range, axis.bounds, factor, (start + end) / 2));
}

function panBy(part: number): void {
  const axis = axisNow();
  axis?.zoomTo(panRange(axis.range, axis.bounds, part));
}

function showInTimeline(): void {
  const bounds = loaded.peek()?.summary.range;
  const { span } = selection.peek();
  openView('timeline');
  if (bounds !== undefined && span !== null) zoomTo(rangeAround(span, bounds, AROUND_MARGIN));
}

function frameSelection(): void {
  const bounds = loaded.peek()?.summary.range;
  const times = marks.peek().map(({ ts }) => ts);
  const marked = times.length === 0 ? null : { start: Math.min(...times), end: Math.max(...times) };
  const span = selection.peek().span ?? marked;
  if (bounds === undefined) return;
  const framed = span === null ? bounds : rangeAround(span, bounds, FRAME_MARGIN);
  const now = range.peek();
  if (now.start === framed.start && now.end === framed.end) goTo({ range: null });
  else zoomTo(framed);
}

function search(): void {
  const input = document.querySelector<HTMLInputElement>('.params input[type="search"]');
  if (input === null) paletteShown.value = true;
  else input.select();
}

function markSelection(): void {
  const { span } = selection.peek();
  const origin_ns = loaded.peek()?.summary.range.start ?? 0;
  if (span !== null) toggleMark({ ts: span.start, label: formatTime(span.start, origin_ns) });
}

function escape(): void {
  if (issuesShown.peek()) issuesShown.value = false;
  else if (!isEmpty(selection.peek())) goTo({ selection: NO_SELECTION });
}

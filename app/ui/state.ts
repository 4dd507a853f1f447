import { computed, effect, signal } from '@preact/signals';
import type { OpenError, OpenProgress, OpenTrace, TracePart } from '../host/api.ts';
import type { TraceOverview } from '../host/overview.ts';
import type { MarkedEvent, ParamSpecs, Selection, TimeRange, TraceSummary } from '../../shared/view/index.ts';
import { ParamError, readParams, toggleMark as toggled } from '../../shared/view/index.ts';
import { clampRange } from '../../views/kit/index.ts';
import { views } from '../../views/index.ts';
import {
  isPacked,
  QUERY_PAGE,
  readFragment,
  readFrom,
  START,
  writeFragment,
} from '../../shared/link/index.ts';
import type { Place, ReadLink } from '../../shared/link/index.ts';

/** A trace that is open, with the facts that every view needs. */
export interface LoadedTrace {
  readonly opened: OpenTrace;
  readonly summary: TraceSummary;
  /** True once its symbols are loaded. */
  readonly hasSymbols?: boolean;
}

/** What the page is doing. */
export type Phase =
  | { readonly kind: 'home' }
  | { /** Questions to the lake that the window is connected to. */ readonly kind: 'lake' }
  | {
      readonly kind: 'opening';
      readonly name: string;
      readonly progress: OpenProgress | null;
      readonly startedAtMs: number;
      readonly cancel: () => void;
    }
  | {
      /** The trace is more than the engine holds: a part is to be chosen. */
      readonly kind: 'too_large';
      readonly name: string;
      readonly overview: TraceOverview;
      readonly openPart: (part: TracePart) => void;
    }
  | {
      /** A link is of a trace that is not known here: its file is to be chosen. */
      readonly kind: 'wanted';
      readonly name: string;
      readonly link: ReadLink;
      /** Why the file that was chosen is not the one; null before. */
      readonly message: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly message: string;
      /** What kind of error it is, where that is known. */
      readonly reason?: OpenError['kind'];
      readonly retry: () => void;
    }
  | { readonly kind: 'loaded'; readonly trace: LoadedTrace };

export const phase = signal<Phase>({ kind: 'home' });
export const place = signal<Place>(readFragment(location.hash));

/** What the user prefers, remembered on this machine. */
export const theme = signal<'system' | 'light' | 'dark'>(readTheme());
export const detailsShown = signal(readDetails());
/** Whether the view is shown as its tables. */
export const asTables = signal(false);
export const keysShown = signal(false);
export const paletteShown = signal(false);
export const issuesShown = signal(false);

/** How far the engine is that loads the open trace again; null where none does. */
export const reload = signal<OpenProgress | null>(null);

export const loaded = computed(() => (phase.value.kind === 'loaded' ? phase.value.trace : null));

/** Whether the query page is shown, in the place of a view. */
export const queryShown = computed(() => place.value.view === QUERY_PAGE);

/** Parts of the place. What needs only one of them does not hear of each step of a zoom. */
const givenParams = computed(() => place.value.params);

/** The view in use, and its params with defaults filled in. Params that do not fit are as if not given. */
export const currentView = computed(() =>
  queryShown.value || /^(compare$|panels$|panel-|dashboard-)/.test(place.value.view ?? '')
    ? undefined
    : (views.find(({ id }) => id === place.value.view) ?? views[0]),
);
export const currentParams = computed(() => {
  const specs = currentView.value?.params ?? {};
  return readFitting(specs, givenParams.value);
});

/** What is chosen. */
export const selection = computed(() => place.value.selection);
/** What is marked. */
export const marks = computed(() => place.value.marks);

/** The range in view; the whole trace where none is chosen. */
export const range = computed((): TimeRange => {
  const whole = loaded.value?.summary.range ?? { start: 0, end: 1 };
  return place.value.range === null ? whole : clampRange(place.value.range, whole);
});

/** Params with defaults filled in; those that do not fit are as if not given. */
export function readFitting(specs: ParamSpecs, given: Readonly<Record<string, unknown>>) {
  const fitting = Object.entries(given).filter(([name, value]) => {
    try {
      readParams(specs, { [name]: value });
      return true;
    } catch (error) {
      if (error instanceof ParamError) return false;
      throw error;
    }
  });
  return readParams(specs, Object.fromEntries(fitting));
}

/** Goes elsewhere in the trace; what is not named stays. */
export function goTo(change: Partial<Place>): void {
  place.value = { ...place.value, ...change };
}

/** Goes to another view, with no params but those that what is chosen gives it. */
export function openView(id: string): void {
  const params = views.find((view) => view.id === id)?.paramsFor?.(selection.peek()) ?? {};
  goTo({ view: id, params });
}

/** Changes some params of the view in use; a value that is the default is dropped. */
export function setParams(change: Readonly<Record<string, unknown>>): void {
  const specs = currentView.value?.params ?? {};
  const all = Object.entries({ ...currentParams.value, ...change });
  goTo({ params: Object.fromEntries(all.filter(([name, value]) => value !== specs[name]?.default)) });
}

/** Chooses something. Params that named what was chosen before, as in a link, no longer do. */
export function select(chosen: Selection): void {
  const named = new Set(currentView.peek()?.detail?.namedBy);
  const params = Object.entries(place.peek().params).filter(([name]) => !named.has(name));
  goTo({ selection: chosen, params: Object.fromEntries(params) });
}

/** Marks an event in all views, or removes the mark at its time. */
export function toggleMark(event: MarkedEvent): void {
  goTo({ marks: toggled(place.peek().marks, event) });
}

/** Changes the range in view, within the trace; the whole trace is kept as no range. */
export function zoomTo(next: TimeRange): void {
  const whole = loaded.value?.summary.range;
  if (whole === undefined) return;
  const { start, end } = clampRange(next, whole);
  goTo({ range: start <= whole.start && end >= whole.end ? null : { start, end } });
}

/** Changes that follow one another faster than this, as while zooming, make one step in the history. */
const SETTLED_MS = 400;

/** What the address bar may ask for besides another place in the open trace. */
interface AddressRequests {
  /** A place in another trace, by back and forward. */
  readonly onOtherTrace: (place: Place) => void;
  /** A link that was put into the address bar. */
  readonly onLink: (fragment: string) => void;
}

/** Keeps the place in the URL fragment, and follows back and forward. */
export function keepPlaceInUrl({ onOtherTrace, onLink }: AddressRequests): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    const fragment = writeFragment(place.peek());
    if (fragment !== location.hash.slice(1))
      history.pushState(null, '', fragment === '' ? '#' : `#${fragment}`);
  };
  effect(() => {
    if (phase.value.kind !== 'loaded') return;
    const before = readFragment(location.hash);
    const now = place.value;
    clearTimeout(timer);
    if (before.trace === null) history.replaceState(null, '', `#${writeFragment(now)}`);
    else if (before.trace !== now.trace) write();
    else timer = setTimeout(write, SETTLED_MS);
  });
  addEventListener('popstate', () => {
    clearTimeout(timer);
    if (isPacked(location.hash) || readFrom(location.hash) !== null) {
      onLink(location.hash);
      return;
    }
    const there = readFragment(location.hash);
    if (there.trace !== null && there.trace !== loaded.peek()?.opened.id) onOtherTrace(there);
    else place.value = { ...there, trace: place.peek().trace };
  });
}

/** Shows the theme that is preferred, the system's if none is. */
export function applyTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const systemIsDark = signal(dark.matches);
  dark.addEventListener('change', () => (systemIsDark.value = dark.matches));
  effect(() => {
    const system = systemIsDark.value ? 'dark' : 'light';
    shownTheme.value = theme.value === 'system' ? system : theme.value;
    document.documentElement.dataset.theme = shownTheme.value;
    localStorage.setItem('theme', theme.value);
  });
}

/** Shows the details, or hides them; this machine keeps the choice. */
export function toggleDetails(): void {
  detailsShown.value = !detailsShown.peek();
  localStorage.setItem('details', detailsShown.peek() ? 'shown' : 'hidden');
}

/** As was chosen last; else they are shown where the window has room for them. */
function readDetails(): boolean {
  const kept = localStorage.getItem('details');
  return kept === null ? matchMedia('(min-width: 1000px)').matches : kept === 'shown';
}

/** The theme as shown. */
export const shownTheme = signal<'light' | 'dark'>('light');

function readTheme(): 'system' | 'light' | 'dark' {
  const kept = localStorage.getItem('theme');
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** The address of the list of traces, where the page shows one of a server's; null where the page opens any trace. */
export const listAddress = signal<string | null>(null);

/** Forgets the trace and its place, and shows where another one is opened. */
export function goHome(): void {
  const list = listAddress.peek();
  if (list === null) leaveTrace({ kind: 'home' });
  else location.assign(list);
}

/** Forgets the trace and its place, and shows something else. */
export function leaveTrace(next: Extract<Phase, { kind: 'home' | 'lake' }>): void {
  place.value = START;
  history.replaceState(null, '', '#');
  phase.value = next;
}

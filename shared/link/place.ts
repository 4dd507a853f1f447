import type { Mark, Selection, TimeRange } from '../view/index.ts';
import { MAX_MARKS } from '../view/index.ts';
import { readFileAddress } from './address.ts';

/** Where the user is in a trace: all that a link needs to show the same picture again. */
export interface Place {
  /** The trace's id; null before one is open. */
  readonly trace: string | null;
  /** The view's id; null for the first. */
  readonly view: string | null;
  /** The SQL of the query page; empty where another page is shown. */
  readonly sql: string;
  /** The view's params that differ from their defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The range in view, in ns on the trace clock; null for the whole trace. */
  readonly range: TimeRange | null;
  readonly selection: Selection;
  /** Events that are marked in all views, oldest first. */
  readonly marks: readonly Mark[];
}

export const NO_SELECTION: Selection = { span: null, thread: null, pid: null };

/** Whether nothing is chosen. */
export function isEmpty({ span, thread, pid }: Selection): boolean {
  return span === null && thread === null && pid === null;
}

export const START: Place = {
  trace: null,
  view: null,
  sql: '',
  params: {},
  range: null,
  selection: NO_SELECTION,
  marks: [],
};

/** The id of the query page, which stands in the place of a view. */
export const QUERY_PAGE = 'query';

/** The id of the page that compares the trace with another one, likewise. */
export const COMPARE_PAGE = 'compare';

/** The id of the list of panels, likewise. */
export const PANELS_PAGE = 'panels';

/** The id of a panel's page, likewise. */
export function panelPage(panel: string): string {
  return `${PANEL_PAGE}${panel}`;
}

/** What the id of a panel's page begins with. */
export const PANEL_PAGE = 'panel-';

/** The id of a dashboard's page, likewise. */
export function dashboardPage(dashboard: string): string {
  return `${DASHBOARD_PAGE}${dashboard}`;
}

/** What the id of a dashboard's page begins with. */
export const DASHBOARD_PAGE = 'dashboard-';

/** Of links with marks. Links without a version are older, and say nothing that a reader of this one would not know. */
const VERSION = '2';

/** The prefix that keeps a view's params apart from the shell's own. */
const PARAM = 'p.';

/** A place as a URL fragment, without `#`: readable, and empty for the start. */
export function writeFragment(place: Place): string {
  const { trace, view, range, selection, marks } = place;
  const fields = new URLSearchParams();
  if (marks.length > 0) fields.set('v', VERSION);
  if (trace !== null) fields.set('trace', trace);
  if (view !== null) fields.set('view', view);
  if (view === QUERY_PAGE && place.sql !== '') fields.set('sql', place.sql);
  for (const [name, value] of Object.entries(place.params)) fields.set(PARAM + name, String(value));
  if (range !== null) fields.set('range', writeRange(range));
  if (selection.span !== null) fields.set('span', writeRange(selection.span));
  if (selection.thread !== null) fields.set('thread', `${selection.thread.tid}@${selection.thread.ts}`);
  if (selection.pid !== null) fields.set('pid', String(selection.pid));
  for (const { slot, ts, label } of marks) fields.append('mark', `${slot}@${ts}@${label}`);
  return fields.toString();
}

/** The address of a trace's file that a fragment names; null if it names none. */
export function readFrom(fragment: string): string | null {
  const address = new URLSearchParams(fragment.replace(/^#/, '').slice(0, 65_536)).get('from');
  return address === null ? null : (readFileAddress(address)?.href ?? null);
}

/** Reads a URL fragment, which may come from a stranger: what does not fit is left out. */
export function readFragment(fragment: string): Place {
  const fields = new URLSearchParams(fragment.replace(/^#/, '').slice(0, 65_536));
  const params = [...fields].filter(([name]) => name.startsWith(PARAM));
  return {
    trace: matching(fields.get('trace'), /^[0-9a-f]{64}$/),
    view: matching(fields.get('view'), /^[a-z0-9-]{1,64}$/),
    sql: fields.get('sql') ?? '',
    params: Object.fromEntries(params.map(([name, value]) => [name.slice(PARAM.length), value])),
    range: readRange(fields.get('range')),
    selection: {
      span: readSpan(fields.get('span')),
      thread: readThread(fields.get('thread')),
      pid: readNumber(fields.get('pid')),
    },
    marks: readMarks(fields.getAll('mark')),
  };
}

function writeRange({ start, end }: TimeRange): string {
  return `${Math.round(start)}-${Math.round(end)}`;
}

/** A span; that of an event has no length. */
function readSpan(text: string | null): TimeRange | null {
  const [start, end] = (text ?? '').split('-').map(readNumber);
  return typeof start === 'number' && typeof end === 'number' && start <= end ? { start, end } : null;
}

function readRange(text: string | null): TimeRange | null {
  const span = readSpan(text);
  return span !== null && span.start < span.end ? span : null;
}

/** Marks that fit, each letter and each time once. */
function readMarks(texts: readonly string[]): readonly Mark[] {
  const marks: Mark[] = [];
  for (const text of texts) {
    const [, slot, ts, label = ''] = /^(\d{1,2})@(\d{1,16})@(.{0,80})$/su.exec(text) ?? [];
    const mark = { slot: Number(slot), ts: Number(ts), label };
    const fits =
      mark.slot < MAX_MARKS && marks.every((each) => each.slot !== mark.slot && each.ts !== mark.ts);
    if (fits) marks.push(mark);
  }
  return marks;
}

function readThread(text: string | null): Selection['thread'] {
  const [tid, ts] = (text ?? '').split('@').map(readNumber);
  return typeof tid === 'number' && typeof ts === 'number' ? { tid, ts } : null;
}

function readNumber(text: string | null): number | null {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : null;
}

function matching(text: string | null, pattern: RegExp): string | null {
  return text !== null && pattern.test(text) ? text : null;
}

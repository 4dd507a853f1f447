import * as v from 'valibot';
import { MOST_CARDS } from '../panel/dashboard.ts';
import { MAX_MARKS } from '../view/index.ts';
import { readAddress, readFileAddress } from './address.ts';
import { linkedCard, linkedDashboard, type LinkedDashboard } from './dashboard.ts';
import { MOST_PARAMS, panelParams, param, PARAM_NAME } from './params.ts';
import { tracePart, type TracePart } from './part.ts';
import { NO_SELECTION, START, type Place } from './place.ts';

/** The trace that a link is of: enough to find it on another machine, and to tell it from any other. */
export interface LinkedTrace {
  /** The id under which a host opens it: SHA-256 in hex, of its content and of the part. */
  readonly id: string;
  /** Of its file, or of its files; empty where the link says none. */
  readonly name: string;
  /** Null where the link says none. */
  readonly sizeBytes: number | null;
  /** The names of the recording's files in their order, if there are several. */
  readonly files?: readonly string[] | undefined;
  /** What of it was opened; absent for all. */
  readonly part?: TracePart | undefined;
  /** The origin of a team server that has it, such as `https://traces.example.com`. */
  readonly server?: string | undefined;
}

/** A panel that goes with a link: the text of its file. It is a stranger's, and its SQL does not run unseen. */
export interface LinkedPanel {
  readonly name: string;
  readonly sql: string;
  /** Its params that differ from their defaults; absent if none does. */
  readonly params?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  /** False if it is there for the dashboard alone; absent for one that is pinned below the view. */
  readonly pinned?: false | undefined;
}

/** All that a link holds. Keys are those that mean the same wherever the trace is loaded: times, tids, pids, names. */
export interface LinkState {
  /** What its maker called it; empty if nothing. */
  readonly title: string;
  readonly trace: LinkedTrace | null;
  /** The address of the trace's file, which anybody may fetch; absent where the link says none. */
  readonly from?: string | undefined;
  /** Where in the trace. */
  readonly place: Omit<Place, 'trace'>;
  /** Panels that are pinned, or shown by the dashboard. */
  readonly panels: readonly LinkedPanel[];
  /** The dashboard whose page is shown; absent where another page is. */
  readonly dashboard?: LinkedDashboard | undefined;
}

/** A link as it was read. */
export interface ReadLink {
  readonly state: LinkState;
  /** What was left out and why, in words for the user. */
  readonly notes: readonly string[];
}

/** How much is taken from a link. No honest link has more. */
const MOST = { panels: 32, files: 255 } as const;
const LONGEST = { title: 120, name: 1_000, sql: 65_536, label: 80 } as const;

const ns = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(0xffff_ffff));
const span = v.pipe(
  v.object({ start: ns, end: ns }),
  v.check(({ start, end }) => start <= end, 'it ends before it starts'),
);
const fileName = v.pipe(v.string(), v.maxLength(LONGEST.name));

const fields = {
  title: v.pipe(v.string(), v.maxLength(LONGEST.title)),
  trace: v.nullable(
    v.object({
      id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'it is no SHA-256')),
      name: fileName,
      sizeBytes: v.nullable(ns),
      files: v.optional(v.pipe(v.array(fileName), v.minLength(2), v.maxLength(MOST.files))),
      part: v.optional(tracePart),
      server: v.optional(v.pipe(v.string(), v.maxLength(300), v.check(isOrigin, 'it is no web address'))),
    }),
  ),
  from: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => readFileAddress(text) !== null, 'it is no address of a public file'),
      v.transform((text) => readFileAddress(text)?.href),
    ),
  ),
  view: v.nullable(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/))),
  sql: v.pipe(v.string(), v.maxLength(LONGEST.sql)),
  range: v.nullable(
    v.pipe(
      span,
      v.check(({ start, end }) => start < end, 'it is empty'),
    ),
  ),
} as const;

const selection = {
  span: v.nullable(span),
  thread: v.nullable(v.object({ tid: id, ts: ns })),
  pid: v.nullable(id),
} as const;

const anything = v.record(v.string(), v.unknown());
const mark = v.object({
  slot: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_MARKS - 1)),
  ts: ns,
  label: v.pipe(v.string(), v.maxLength(LONGEST.label)),
});
const panel = v.object({
  name: v.pipe(v.string(), v.regex(/^[\w .-]{1,100}$/)),
  sql: v.pipe(v.string(), v.maxLength(LONGEST.sql)),
  params: panelParams,
  pinned: v.optional(v.literal(false)),
});

/** What is wrong with a part of a link, in words of ours: the validator's own name its types. */
function inWords(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  const where = v.getDotPath(issue) ?? 'it';
  return issue.input === undefined ? `${where} is missing` : `${where} cannot be that`;
}

/** A link that says nothing. */
export const NO_LINK: LinkState = { title: '', trace: null, place: placeOf(START), panels: [] };

/** A place without the trace that it is in. */
export function placeOf({
  view,
  sql,
  params,
  range,
  selection,
  marks,
}: Omit<Place, 'trace'>): LinkState['place'] {
  return { view, sql, params, range, selection, marks };
}

/** What a link says of a trace that is open; `server`: the team server that has it. */
export function linkedTrace(
  { id, name, sizeBytes, files, part }: Omit<LinkedTrace, 'server'>,
  server?: string,
): LinkedTrace {
  return {
    id,
    name,
    sizeBytes,
    ...(files && { files }),
    ...(part && { part }),
    ...(server !== undefined && { server }),
  };
}

/**
 * A place with nothing but times, ids and numbers in it, to go with a trace whose texts were taken out: without the names that
 * it filters by, the labels of marks, SQL, panels and a dashboard. Its title is its maker's, and stays.
 */
export function withoutTexts({ title, trace, place }: LinkState): LinkState {
  const params = Object.entries(place.params).filter(([, value]) => typeof value !== 'string');
  const marks = place.marks.map((mark) => ({ ...mark, label: '' }));
  return {
    title,
    trace,
    place: { ...place, params: Object.fromEntries(params), sql: '', marks },
    panels: [],
  };
}

/** A state as the JSON value that a link and a bundle hold. What is as at the start is left out. */
export function writeState(state: LinkState): Record<string, unknown> {
  const { title, trace, from, place, panels, dashboard } = state;
  const all = { title, trace, from, ...place, panels, dashboard };
  const start: Record<string, unknown> = { title: '', ...START, panels: [] };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(start[name])),
  );
}

/** Reads a state, which may come from a stranger or from a newer Outrank: each part by itself, what does not fit is left out. */
export function readState(value: unknown): ReadLink {
  const given = asRecord(value);
  if (given === null) return { state: NO_LINK, notes: ['what the link says is not readable'] };
  const notes: string[] = [];
  const known = new Set([...Object.keys(fields), 'selection', 'params', 'marks', 'panels', 'dashboard']);
  for (const name of Object.keys(given)) {
    if (!known.has(name)) notes.push(`“${shorten(name)}” is not known to this version of Outrank: left out`);
  }
  const read = <T>(what: string, schema: v.GenericSchema<unknown, T>, from: unknown, otherwise: T): T => {
    if (from === undefined) return otherwise;
    const result = v.safeParse(schema, from);
    if (result.success) return result.output;
    notes.push(`${what} does not fit (${inWords(result.issues[0])}): left out`);
    return otherwise;
  };
  const items = <T>(what: string, schema: v.GenericSchema<unknown, T>, from: unknown, most: number): T[] => {
    if (from === undefined) return [];
    if (!Array.isArray(from)) notes.push(`${what}s do not fit: left out`);
    const list: readonly unknown[] = Array.isArray(from) ? from : [];
    if (list.length > most) notes.push(`of ${list.length} ${what}s the first ${most} are taken`);
    return list.slice(0, most).flatMap((each, at) => {
      const item = read(`${what} ${at + 1}`, v.nullable(schema), each, null);
      return item === null ? [] : [item];
    });
  };
  const chosen = read('the selection', anything, given.selection, { ...NO_SELECTION });
  const state: LinkState = {
    title: read('the title', fields.title, given.title, ''),
    trace: read('the trace', fields.trace, given.trace, null),
    place: {
      view: read('the view', fields.view, given.view, null),
      sql: read('the SQL', fields.sql, given.sql, ''),
      params: readParams(given.params),
      range: read('the range', fields.range, given.range, null),
      selection: {
        span: read('the chosen span', selection.span, chosen.span, null),
        thread: read('the chosen thread', selection.thread, chosen.thread, null),
        pid: read('the chosen process', selection.pid, chosen.pid, null),
      },
      marks: withoutTwins(items('mark', mark, given.marks, MAX_MARKS)),
    },
    panels: items('panel', panel, given.panels, MOST.panels),
  };
  const from = read('the address of the file', fields.from, given.from, undefined);
  const dashboard = readDashboard(given.dashboard, state);
  return { state: { ...state, ...(from !== undefined && { from }), dashboard }, notes };

  function readDashboard(from: unknown, { panels }: LinkState): LinkedDashboard | undefined {
    const said = read('the dashboard', v.optional(linkedDashboard), from, undefined);
    if (said === undefined) return undefined;
    const cards = items('dashboard panel', linkedCard, said.panels, MOST_CARDS);
    const lost = cards.filter((card) => panels.every(({ name }) => name !== card.panel));
    const names = new Set(lost.map((card) => shorten(card.panel)));
    for (const name of names) notes.push(`the dashboard's panel “${name}” is not in the link: left out`);
    return { ...said, panels: cards.filter((card) => !lost.includes(card)) };
  }

  function readParams(from: unknown): Record<string, v.InferOutput<typeof param>> {
    const all = Object.entries(read('the params', anything, from, {}));
    if (all.length > MOST_PARAMS) notes.push(`of ${all.length} params the first ${MOST_PARAMS} are taken`);
    return Object.fromEntries(
      all.slice(0, MOST_PARAMS).flatMap(([name, each]) => {
        const what = `the param “${shorten(name)}”`;
        if (!PARAM_NAME.test(name)) notes.push(`${what} has no such name as params have: left out`);
        else {
          const fit = read(what, v.optional(param), each, undefined);
          if (fit !== undefined) return [[name, fit]];
        }
        return [];
      }),
    );
  }
}

/** Each letter and each time once. */
function withoutTwins<T extends { readonly slot: number; readonly ts: number }>(marks: readonly T[]): T[] {
  return marks.filter(
    ({ slot, ts }, at) => !marks.slice(0, at).some((each) => each.slot === slot || each.ts === ts),
  );
}

function asRecord(value: unknown): Record<string, unknown> | null {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Record<string, unknown>) : null;
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function isOrigin(text: string): boolean {
  return readAddress(text)?.origin === text;
}

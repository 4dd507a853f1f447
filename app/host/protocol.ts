import * as v from 'valibot';
import { TABLE_NAMES, tableInfo } from '../../shared/tables/index.ts';
import { ENGINE_ERROR_KINDS, EngineError } from '../../shared/engine/index.ts';
import { lakeAsk } from '../../shared/lake/index.ts';
import { LONGEST_LINK } from '../../shared/link/index.ts';
import { KEPT_NAMES, LONGEST_USER_FILE, OPEN_ERROR_KINDS, OpenError, STAGES, TooLargeError } from './api.ts';
import { exportRequest } from './export-request.ts';
import { readOverview } from './overview.ts';
import { tracePart } from './part.ts';
import { teamServer } from './remote/server-schema.ts';
import { STEPS } from '../models/protocol.ts';
import { symbolSchemas } from './symbols/report.ts';
import { told } from './told.ts';
import { messageOf } from '../../shared/model/index.ts';

/**
 * The messages that carry a {@link Host} over a port. The client numbers its calls; the server answers each with any
 * number of `progress`, `asked` and `part` and one `result` or `failure`; the bytes of a result follow those of its parts. `abort` asks a call to end early; it still answers.
 */

/** More files than any recording has. */
const MOST_FILES = 255;
/**
 * Longest path (Windows' own limit) and SQL text that a server takes, in UTF-16 units. The SQL of a view may list the ids of
 * a million threads.
 */
const LONGEST_PATH = 32_767;
const LONGEST_SQL = 16 << 20;

/** More columns than any table has. */
const MOST_COLUMNS = 100;

/** More than any request takes as a frame. */
export const LONGEST_REQUEST_BYTES = 4 * LONGEST_SQL;

const callNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const traceId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const path = v.pipe(v.string(), v.maxLength(LONGEST_PATH));
const otherFiles = v.optional(v.pipe(v.array(path), v.maxLength(MOST_FILES), v.readonly()));
const fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const keptLink = v.object({
  link: v.pipe(v.string(), v.maxLength(LONGEST_LINK)),
  title: v.pipe(v.string(), v.maxLength(LONGEST_PATH)),
  name: v.pipe(v.string(), v.maxLength(LONGEST_PATH)),
  usedAtMs: v.number(),
});

const fileText = v.pipe(v.string(), v.maxLength(LONGEST_USER_FILE));

const gift = v.nullable(exportRequest);

const request = v.variant('type', [
  v.object({
    type: v.literal('open'),
    call: callNumber,
    path,
    part: v.optional(tracePart),
    with: otherFiles,
    expected: v.optional(traceId),
    columns: v.optional(v.boolean()),
  }),
  v.object({ type: v.literal('whole'), call: callNumber, id: traceId }),
  v.object({
    type: v.literal('table'),
    call: callNumber,
    id: traceId,
    table: v.picklist(TABLE_NAMES),
    batch: callNumber,
    columns: v.pipe(v.array(callNumber), v.maxLength(MOST_COLUMNS)),
  }),
  v.object({
    type: v.literal('query'),
    call: callNumber,
    id: traceId,
    sql: v.pipe(v.string(), v.maxLength(LONGEST_SQL)),
    inParts: v.optional(v.boolean()),
    outline: v.optional(v.boolean()),
  }),
  v.object({
    type: v.literal('export'),
    call: callNumber,
    id: traceId,
    request: exportRequest,
    output: v.nullable(path),
  }),
  v.object({
    type: v.literal('fetch'),
    call: callNumber,
    from: teamServer,
    wanted: v.object({ id: traceId, sizeBytes: v.nullable(v.number()) }),
  }),
  v.object({ type: v.literal('send'), call: callNumber, id: traceId, gift, to: teamServer }),
  v.object({
    type: v.literal('bundle'),
    call: callNumber,
    id: traceId,
    gift,
    place: v.record(v.string(), v.unknown()),
    output: path,
  }),
  v.object({
    type: v.literal('model'),
    call: callNumber,
    id: traceId,
    source: callNumber,
    step: v.picklist(STEPS),
    wanted: v.object({
      view: v.string(),
      params: v.record(v.string(), v.unknown()),
      range: v.object({ start: v.number(), end: v.number() }),
      chosen: v.optional(v.unknown()),
    }),
  }),
  v.object({
    type: v.literal('question'),
    call: callNumber,
    id: traceId,
    source: callNumber,
    view: v.string(),
    question: v.unknown(),
  }),
  v.object({ type: v.literal('endModels'), call: callNumber, id: traceId, source: callNumber }),
  v.object({ type: v.literal('restart'), call: callNumber, id: traceId }),
  v.object({ type: v.literal('symbols'), call: callNumber, id: traceId, path }),
  v.object({ type: v.literal('symbol_defaults'), call: callNumber }),
  v.object({ type: v.literal('close'), call: callNumber, id: traceId }),
  v.object({ type: v.literal('recent'), call: callNumber }),
  v.object({ type: v.literal('links'), call: callNumber }),
  v.object({ type: v.literal('keepLink'), call: callNumber, link: keptLink }),
  v.object({
    type: v.literal('userFiles'),
    call: callNumber,
    id: v.nullable(traceId),
    since: v.nullable(v.string()),
  }),
  v.object({ type: v.literal('saveUserFile'), call: callNumber, name: path, text: fileText }),
  v.object({ type: v.literal('confirm'), call: callNumber, text: fileText }),
  v.object({ type: v.literal('isConfirmed'), call: callNumber, text: fileText }),
  v.object({ type: v.literal('kept'), call: callNumber, name: v.picklist(KEPT_NAMES) }),
  v.object({ type: v.literal('keep'), call: callNumber, name: v.picklist(KEPT_NAMES), text: fileText }),
  v.object({ type: v.literal('lake'), call: callNumber, server: teamServer, asked: v.nullable(lakeAsk) }),
  v.object({ type: v.literal('placeOf'), call: callNumber, id: traceId }),
  v.object({ type: v.literal('abort'), call: callNumber }),
]);

const userFileList = v.object({
  stamp: v.string(),
  files: v.array(
    v.object({
      name: v.string(),
      text: v.string(),
      from: v.picklist(['user', 'trace']),
      confirmed: v.boolean(),
    }),
  ),
  rules: v.object({
    files: v.array(v.object({ name: v.string(), text: v.string() })),
    refused: v.array(v.object({ id: v.string(), message: v.string() })),
  }),
});

const openTrace = v.object({
  id: traceId,
  name: v.string(),
  sizeBytes: v.number(),
  warnings: v.array(v.string()),
  notes: v.optional(v.array(v.string())),
  ...told.entries,
  files: v.optional(v.array(v.string())),
  part: v.optional(tracePart),
  tables: v.optional(v.array(tableInfo)),
  makesModels: v.optional(v.boolean()),
  state: v.optional(v.unknown()),
});

const recentTraces = v.array(
  v.object({
    id: traceId,
    name: v.string(),
    path: v.string(),
    with: otherFiles,
    sizeBytes: v.number(),
    part: v.optional(tracePart),
    openedAtMs: v.number(),
  }),
);

const sentTrace = v.object({
  id: traceId,
  name: v.string(),
  sizeBytes: v.number(),
  url: v.string(),
  deleteToken: v.nullable(v.string()),
});

const failure = v.variant('name', [
  v.object({
    name: v.literal('EngineError'),
    kind: v.picklist(ENGINE_ERROR_KINDS),
    message: v.string(),
    place: v.nullable(v.object({ line: v.number(), column: v.number() })),
  }),
  v.object({
    name: v.literal('OpenError'),
    kind: v.picklist(OPEN_ERROR_KINDS),
    message: v.string(),
    overview: v.optional(v.unknown()),
  }),
  v.object({ name: v.literal('AbortError'), message: v.string() }),
  v.object({ name: v.literal('Error'), message: v.string() }),
]);

const reply = v.variant('type', [
  v.object({
    type: v.literal('progress'),
    call: callNumber,
    progress: v.object({
      stage: v.picklist(STAGES),
      fraction: v.nullable(fraction),
    }),
  }),
  v.object({
    type: v.literal('symbol_progress'),
    call: callNumber,
    progress: symbolSchemas.symbolProgress,
  }),
  v.object({ type: v.literal('asked'), call: callNumber, statement: v.string(), sql: v.string() }),
  v.object({
    type: v.literal('part'),
    call: callNumber,
    bytes: v.instance<typeof Uint8Array<ArrayBufferLike>>(Uint8Array),
    // How many bytes the whole answer has, where that is known beforehand.
    of: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  }),
  v.object({
    type: v.literal('result'),
    call: callNumber,
    value: v.optional(v.unknown()),
    bytes: v.optional(v.instance<typeof Uint8Array<ArrayBufferLike>>(Uint8Array)),
  }),
  v.object({ type: v.literal('failure'), call: callNumber, error: failure }),
]);

/** What a client sends. */
export type Request = v.InferOutput<typeof request>;
/** What a server answers. */
export type Reply = v.InferOutput<typeof reply>;
type Failure = v.InferOutput<typeof failure>;

/** Reads a message from outside; null if it is none of ours. */
export const readRequest = (message: unknown): Request | null => read(request, message);
/** Why no request can be read from a message that has the number of a call; null if it has none. */
export function readUnread(message: unknown): { readonly call: number; readonly why: string } | null {
  const numbered = read(v.object({ call: callNumber }), message);
  const [issue] = v.safeParse(request, message).issues ?? [];
  if (numbered === null || issue === undefined) return null;
  const { message: text, path: at } = issue;
  return {
    ...numbered,
    why: `this request cannot be read: ${at?.[0]?.key?.toString() ?? 'request'}: ${text}`,
  };
}
/** Reads a message from outside; null if it is none of ours. */
export const readReply = (message: unknown): Reply | null => read(reply, message);
/** Reads the value of a result; null if it is no list of files. */
export const readUserFileList = (value: unknown) => read(userFileList, value);
/** Reads the value of a result; null if it is not an open trace. */
export const readOpenTrace = (value: unknown) => read(openTrace, value);
/** Reads a list of kept links, from a result or from disk; null if it is none. */
export const readKeptLinks = (value: unknown) => read(v.array(keptLink), value);
/** Reads what came of looking for symbols; null if it is none. */
export const readSymbolReport = (value: unknown) => read(symbolSchemas.symbolReport, value);
/** Reads where symbols would be looked for; null if it is none. */
export const readSymbolDefaults = (value: unknown) => read(symbolSchemas.symbolDefaults, value);
/** Reads what a team server was given; null if it is none. */
export const readSentTrace = (value: unknown) => read(sentTrace, value);
/** Reads a list of recent traces, from a result or from disk; null if it is none. */
export const readRecentTraces = (value: unknown) => read(recentTraces, value);

function read<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

/** An error as a message. */
export function writeFailure(error: unknown): Failure {
  if (error instanceof EngineError) {
    const { kind, message, place } = error;
    return { name: 'EngineError', kind, message, place };
  }
  if (error instanceof TooLargeError) {
    const { kind, message, overview } = error;
    return { name: 'OpenError', kind, message, overview };
  }
  if (error instanceof OpenError) return { name: 'OpenError', kind: error.kind, message: error.message };
  const message = messageOf(error);
  const aborted = error instanceof Error && error.name === 'AbortError';
  return { name: aborted ? 'AbortError' : 'Error', message };
}

/** The error that a message tells of. */
export function readFailure(failure: Failure): Error {
  switch (failure.name) {
    case 'EngineError':
      return new EngineError(failure.kind, failure.message, failure.place);
    case 'OpenError': {
      const overview = readOverview(failure.overview);
      if (overview !== null) return new TooLargeError(failure.message, overview);
      return new OpenError(failure.kind, failure.message);
    }
    case 'AbortError':
      return Object.assign(new Error(failure.message), { name: 'AbortError' });
    case 'Error':
      return new Error(failure.message);
  }
}

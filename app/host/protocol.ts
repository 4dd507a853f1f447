import * as v from 'valibot';
import type { CheckedCalls } from '../../shared/border/index.ts';
import { TABLE_NAMES, tableInfo } from '../../shared/tables/index.ts';
import { lakeAnswer, lakeAsk, servedLake } from '../../shared/lake/index.ts';
import { LONGEST_LINK } from '../../shared/link/index.ts';
import { KEPT_NAMES, LONGEST_USER_FILE, STAGES } from './api.ts';
import type { OpenProgress, OpenTrace, RecentTrace, SentTrace, UserFileList } from './api.ts';
import { exportReport, exportRequest } from './export-request.ts';
import { tracePart } from './part.ts';
import { teamServer } from './remote/server-schema.ts';
import { STEPS } from './model-source/index.ts';
import { symbolSchemas } from './symbols/report.ts';

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

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const traceId = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const path = v.pipe(v.string(), v.maxLength(LONGEST_PATH));
const otherFiles = v.optional(v.pipe(v.array(path), v.maxLength(MOST_FILES), v.readonly()));

const keptLink = v.object({
  link: v.pipe(v.string(), v.maxLength(LONGEST_LINK)),
  title: v.pipe(v.string(), v.maxLength(LONGEST_PATH)),
  name: v.pipe(v.string(), v.maxLength(LONGEST_PATH)),
  usedAtMs: v.number(),
});

const keptLinks = v.pipe(v.array(keptLink), v.readonly());

const fileText = v.pipe(v.string(), v.maxLength(LONGEST_USER_FILE));

const gift = v.nullable(exportRequest);

const userFileList: v.GenericSchema<unknown, UserFileList> = v.object({
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

const openTrace: v.GenericSchema<unknown, OpenTrace> = v.object({
  id: traceId,
  name: v.string(),
  sizeBytes: v.number(),
  warnings: v.array(v.string()),
  notes: v.optional(v.array(v.string())),
  issues: v.array(
    v.object({
      name: v.string(),
      index: v.nullable(v.number()),
      severity: v.picklist(['error', 'data_loss']),
      value: v.number(),
      description: v.string(),
    }),
  ),
  summary: v.nullable(
    v.object({ range: v.object({ start: v.number(), end: v.number() }), cpuCount: v.number() }),
  ),
  files: v.optional(v.array(v.string())),
  part: v.optional(tracePart),
  tables: v.optional(v.array(tableInfo)),
  hasSymbols: v.optional(v.boolean()),
  makesModels: v.optional(v.boolean()),
  state: v.optional(v.unknown()),
});

const recentTraces: v.GenericSchema<unknown, readonly RecentTrace[]> = v.array(
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

const sentTrace: v.GenericSchema<unknown, SentTrace> = v.object({
  id: traceId,
  name: v.string(),
  sizeBytes: v.number(),
  url: v.string(),
  deleteToken: v.nullable(v.string()),
});

const openProgress: v.GenericSchema<unknown, OpenProgress> = v.object({
  stage: v.picklist(STAGES),
  fraction: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});

const bytes = v.instance<typeof Uint8Array<ArrayBufferLike>>(Uint8Array);
const model = v.nullable(bytes);
const nothing: v.GenericSchema<unknown, void> = v.undefined();
const note = v.never();

const ofTrace = v.object({ id: traceId });
const sqlOfTrace = v.object({ id: traceId, sql: v.pipe(v.string(), v.maxLength(LONGEST_SQL)) });
const text = v.object({ text: fileText });

/** What carries a {@link Host} over a port: its methods as calls, and what these may be given, answer and note. */
export const HOST_CHECKS = {
  open: {
    given: v.object({
      path,
      part: v.optional(tracePart),
      with: otherFiles,
      expected: v.optional(traceId),
      columns: v.optional(v.boolean()),
    }),
    answer: openTrace,
    note: openProgress,
  },
  loadWhole: { given: ofTrace, answer: openTrace, note: openProgress },
  restart: { given: ofTrace, answer: openTrace, note: openProgress },
  close: { given: ofTrace, answer: nothing, note },
  readTable: {
    given: v.object({
      id: traceId,
      table: v.picklist(TABLE_NAMES),
      batch: count,
      columns: v.pipe(v.array(count), v.maxLength(MOST_COLUMNS), v.readonly()),
      within: v.optional(v.pipe(v.array(v.object({ start: v.number(), end: v.number() })), v.readonly())),
    }),
    answer: bytes,
    note,
  },
  query: { given: sqlOfTrace, answer: bytes, note },
  queryOutline: { given: sqlOfTrace, answer: bytes, note },
  /** Notes all parts. */
  queryInParts: { given: sqlOfTrace, answer: nothing, note: bytes },
  loadModel: {
    given: v.object({
      id: traceId,
      /** The client's number of the source. */
      source: count,
      step: v.picklist(STEPS),
      wanted: v.object({
        view: v.string(),
        params: v.record(v.string(), v.unknown()),
        range: v.object({ start: v.number(), end: v.number() }),
        chosen: v.optional(v.unknown()),
      }),
    }),
    answer: model,
    note,
  },
  askModel: {
    given: v.object({ id: traceId, source: count, view: v.string(), question: v.unknown() }),
    answer: model,
    note,
  },
  endModels: { given: v.object({ source: count }), answer: nothing, note },
  export: {
    given: v.object({ id: traceId, request: exportRequest, output: v.nullable(path) }),
    answer: exportReport,
    note: openProgress,
  },
  fetch: {
    given: v.object({
      from: teamServer,
      wanted: v.object({ id: traceId, sizeBytes: v.nullable(v.number()) }),
    }),
    answer: v.string(),
    note: openProgress,
  },
  send: {
    given: v.object({ id: traceId, gift, to: teamServer }),
    answer: sentTrace,
    note: openProgress,
  },
  bundle: {
    given: v.object({ id: traceId, gift, place: v.record(v.string(), v.unknown()), output: path }),
    answer: nothing,
    note: openProgress,
  },
  loadSymbols: {
    given: v.object({ id: traceId, path }),
    answer: symbolSchemas.symbolReport,
    note: symbolSchemas.symbolProgress,
  },
  symbolDefaults: { given: nothing, answer: symbolSchemas.symbolDefaults, note },
  recent: { given: nothing, answer: recentTraces, note },
  links: { given: nothing, answer: keptLinks, note },
  keepLink: { given: keptLink, answer: nothing, note },
  listUserFiles: {
    given: v.object({ id: v.nullable(traceId), since: v.nullable(v.string()) }),
    answer: userFileList,
    note,
  },
  saveUserFile: { given: v.object({ name: path, text: fileText }), answer: nothing, note },
  confirm: { given: text, answer: nothing, note },
  isConfirmed: { given: text, answer: v.boolean(), note },
  kept: { given: v.object({ name: v.picklist(KEPT_NAMES) }), answer: v.nullable(v.string()), note },
  keep: { given: v.object({ name: v.picklist(KEPT_NAMES), text: fileText }), answer: nothing, note },
  aboutLake: { given: v.object({ server: teamServer }), answer: servedLake, note },
  askLake: { given: v.object({ server: teamServer, asked: lakeAsk }), answer: lakeAnswer, note },
  placeOf: { given: ofTrace, answer: v.nullable(v.string()), note },
} as const;

/** The methods of a {@link Host} as calls. */
export type HostCalls = CheckedCalls<typeof HOST_CHECKS>;

/** Reads a list of kept links from disk; null if it is none. */
export const readKeptLinks = (value: unknown) => read(keptLinks, value);
/** Reads a list of recent traces from disk; null if it is none. */
export const readRecentTraces = (value: unknown) => read(recentTraces, value);

function read<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

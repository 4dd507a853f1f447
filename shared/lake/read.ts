import * as v from 'valibot';
import { DRAWINGS } from '../panel/index.ts';
import type { LakeAnswer, ServedLake } from './talk.ts';

/** More of anything than any lake of ours tells. */
const MOST = 100_000;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const list = <S extends v.GenericSchema>(of: S) => v.pipe(v.array(of), v.maxLength(MOST));
const value = <S extends v.GenericSchema>(of: S) => v.object({ value: of, traces: count });
const textOrNull = v.nullable(v.string());
const column = v.object({
  name: v.string(),
  title: v.string(),
  help: v.string(),
  kind: v.picklist(['text', 'count', 'number', 'duration_ns', 'time_ns', 'bytes', 'share']),
});
const named = { label: v.string(), help: v.string(), chosen: v.exactOptional(v.literal(true)) };

const param = v.variant('type', [
  v.object({
    ...named,
    type: v.literal('number'),
    default: v.nullable(v.number()),
    min: v.exactOptional(v.number()),
    max: v.exactOptional(v.number()),
    unit: v.exactOptional(v.string()),
  }),
  v.object({ ...named, type: v.literal('text'), default: textOrNull }),
  v.object({ ...named, type: v.literal('flag'), default: v.boolean() }),
  v.object({ ...named, type: v.literal('choice'), default: v.string(), choices: list(v.string()) }),
]);

/** What a server says about its lake. */
export const servedLake: v.GenericSchema<unknown, ServedLake> = v.object({
  traces: count,
  lossy: count,
  problems: list(v.string()),
  questions: list(
    v.object({
      id: v.string(),
      title: v.string(),
      description: v.string(),
      params: v.record(v.string(), param),
    }),
  ),
  machines: list(v.object({ ...value(v.string()).entries, model: textOrNull })),
  models: list(value(v.string())),
  os_builds: list(value(v.number())),
  tags: v.record(v.string(), list(value(v.string()))),
  from: textOrNull,
  to: textOrNull,
  trace_address: v.string(),
});

const answer = v.object({
  model: v.object({
    id: v.string(),
    title: v.string(),
    description: v.string(),
    origin_ns: v.number(),
    range: v.object({ start: v.number(), end: v.number() }),
    drawing: v.object({
      kind: v.picklist(DRAWINGS),
      roles: v.record(v.string(), v.string()),
      warn: v.nullable(v.number()),
      bad: v.nullable(v.number()),
      line: v.nullable(v.number()),
    }),
    columns: list(column),
    rows: list(list(v.nullable(v.union([v.string(), v.number()])))),
    labels: list(v.nullable(list(textOrNull))),
    more: v.boolean(),
    missing: list(v.string()),
    click: v.null(),
  }),
  examples: list(
    list(
      v.object({
        trace: v.string(),
        name: v.string(),
        at_ns: v.nullable(v.number()),
        ts: v.nullable(v.number()),
        tid: v.nullable(v.number()),
        link: v.string(),
      }),
    ),
  ),
  traces: count,
  lossy: count,
});

/** What a server answers for its lake: a cell for each column in each row. */
export const lakeAnswer: v.GenericSchema<unknown, LakeAnswer> = v.pipe(
  answer,
  v.check(({ model: { columns, rows } }) => rows.every((cells) => cells.length === columns.length)),
);

/** What a server said about its lake; null if no lake of ours says such a thing. */
export function readServedLake(told: unknown): ServedLake | null {
  const result = v.safeParse(servedLake, told);
  return result.success ? result.output : null;
}

/** What a server answered for its lake; null likewise. */
export function readLakeAnswer(told: unknown): LakeAnswer | null {
  const result = v.safeParse(lakeAnswer, told);
  return result.success ? result.output : null;
}

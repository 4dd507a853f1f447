import * as v from 'valibot';

/** What is known of a table before any of its rows is read. */
export type TableInfo = v.InferOutput<typeof tableInfo>;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const column = v.object({
  name: v.string(),
  /** How its values are written: integers, doubles, bits, texts, or codes that stand for one of `texts`. */
  form: v.variant('kind', [
    v.object({ kind: v.literal('int'), bytes: v.picklist([1, 2, 4, 8]), signed: v.boolean() }),
    v.object({ kind: v.literal('float') }),
    v.object({ kind: v.literal('bool') }),
    v.object({ kind: v.literal('text') }),
    v.object({
      kind: v.literal('code'),
      bytes: v.picklist([1, 2, 4]),
      texts: v.array(v.nullable(v.string())),
    }),
  ]),
});

/** See {@link TableInfo}. */
export const tableInfo = v.object({
  name: v.string(),
  columns: v.array(column),
  batches: v.array(
    v.object({
      rowCount: count,
      /** From the least `ts` to the greatest `te`, in ns; null where the rows are of no time. */
      times: v.nullable(v.object({ least_ns: v.number(), greatest_ns: v.number() })),
    }),
  ),
});

/** One column of a {@link TableInfo}. */
export type ColumnInfo = TableInfo['columns'][number];

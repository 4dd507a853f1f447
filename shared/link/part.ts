import * as v from 'valibot';

/** A part of a trace; times and kinds as the converter's options of the same names take them. */
export interface TracePart {
  readonly from: string | null;
  readonly to: string | null;
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

const time = v.nullable(v.pipe(v.string(), v.maxLength(40), v.regex(/^\d+(\.\d+)?(ns|us|ms|s)?$|^\d+$/)));
/** A kind or a provider, as the converter takes it: a comma would be two. */
const kinds = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^,\0]{1,256}$/))), v.maxLength(256), v.readonly());

/** What a part is, in a message or a link from outside. */
export const tracePart = v.object({ from: time, to: time, only: kinds, skip: kinds });

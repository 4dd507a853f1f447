import * as v from 'valibot';
import type { TracePart } from './api.ts';

/** All of a trace. */
export const WHOLE: TracePart = { from: null, to: null, only: [], skip: [] };

const time = v.nullable(v.pipe(v.string(), v.maxLength(40), v.regex(/^\d+(\.\d+)?(ns|us|ms|s)?$|^\d+$/)));
/** A kind or a provider, as the converter takes it: a comma would be two. */
const kinds = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[^,\0]{1,256}$/))), v.maxLength(256), v.readonly());

/** What a part is, in a message from outside. */
export const tracePart = v.object({ from: time, to: time, only: kinds, skip: kinds });

/** The options that make the converter take this part. */
export function partArguments({ from, to, only, skip }: TracePart): string[] {
  return [
    ...(from === null ? [] : [`--from=${from}`]),
    ...(to === null ? [] : [`--to=${to}`]),
    ...(only.length === 0 ? [] : [`--only=${only.join(',')}`]),
    ...(skip.length === 0 ? [] : [`--skip=${skip.join(',')}`]),
  ];
}

import * as v from 'valibot';

/** How many params of one view or panel are taken. No honest link has more. */
export const MOST_PARAMS = 64;
const LONGEST_PARAM = 4_096;

/** The name of a param. */
export const PARAM_NAME = /^[a-z]\w{0,63}$/;

/** The value of a param. */
export const param = v.union([
  v.pipe(v.string(), v.maxLength(LONGEST_PARAM)),
  v.pipe(v.number(), v.finite()),
  v.boolean(),
  v.null(),
]);

/** The params of a panel that differ from their defaults; absent if none does. */
export const panelParams = v.optional(
  v.pipe(
    v.record(v.pipe(v.string(), v.regex(PARAM_NAME)), param),
    v.check((params) => Object.keys(params).length <= MOST_PARAMS, 'too many params'),
  ),
);

import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const day = v.pipe(v.string(), v.isoDate());

/** The name of a tag of a trace, such as `build`. */
export const TAG_NAME = /^[A-Za-z][\w.-]{0,62}$/;

/** The longest value of a tag, in characters. */
export const LONGEST_TAG = 1000;

/** Which traces of a lake are asked: those to which all of this applies. */
export const lakeFilter = v.strictObject({
  /** The key of a machine, or how it begins. */
  machine: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{1,32}$/))),
  /** Machines that are alike, as the lake calls them. */
  model: v.optional(text),
  /** The build number of Windows. */
  os_build: v.optional(v.pipe(v.number(), v.safeInteger())),
  /** The first and the last day of recording, in UTC. */
  from: v.optional(day),
  to: v.optional(day),
  /** Values of tags by name. */
  tags: v.optional(v.record(text, v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST_TAG)))),
});

/** See {@link lakeFilter}. */
export type LakeFilter = v.InferOutput<typeof lakeFilter>;

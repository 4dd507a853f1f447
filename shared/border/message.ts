import * as v from 'valibot';

/**
 * The messages of a border. The asking side numbers its calls; a call without a number has no answer. The other side answers each
 * with any number of `note` and `piece`, and one `answer` or `failed`. `abort` asks a call to end early; it is still answered.
 */

const call = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const bytes = v.instance<typeof Uint8Array<ArrayBufferLike>>(Uint8Array);

/** A value, or bytes: then `of` is the length of all bytes of the answer. A port may leave out bytes that are empty. */
const content = { value: v.optional(v.unknown()), bytes: v.optional(bytes), of: v.optional(call) };

const question = v.variant('kind', [
  v.object({
    kind: v.literal('call'),
    name: v.string(),
    call: v.optional(call),
    given: v.optional(v.unknown()),
  }),
  v.object({ kind: v.literal('abort'), call }),
]);

const reply = v.variant('kind', [
  v.object({ kind: v.literal('note'), call, ...content }),
  // Bytes of an answer; those that are left come with the answer.
  v.object({ kind: v.literal('piece'), call, bytes, of: call }),
  v.object({ kind: v.literal('answer'), call, ...content }),
  v.object({
    kind: v.literal('failed'),
    call,
    error: v.object({ name: v.string(), message: v.string(), detail: v.optional(v.unknown()) }),
  }),
]);

/** What the asking side sends. */
export type Question = v.InferOutput<typeof question>;
/** What the answering side sends. */
export type Reply = v.InferOutput<typeof reply>;
/** An error as plain data. */
export type Failure = Extract<Reply, { kind: 'failed' }>['error'];

/** Reads a message; null if it is none of an asking side. */
export const readQuestion = (message: unknown): Question | null => read(question, message);
/** Reads a message; null if it is none of an answering side. */
export const readReply = (message: unknown): Reply | null => read(reply, message);

type Content = Pick<Extract<Reply, { kind: 'answer' }>, 'value' | 'bytes' | 'of'>;

/** A value as a message has it: bytes stand apart, since a port may carry them as they are. */
export function contentOf(value: unknown): Content {
  return value instanceof Uint8Array ? { bytes: value, of: value.length } : { value };
}

/** The value that {@link contentOf} wrote. */
export function valueOf({ value, bytes, of }: Content): unknown {
  return of === undefined ? value : (bytes ?? new Uint8Array());
}

function read<S extends v.GenericSchema>(schema: S, message: unknown): v.InferOutput<S> | null {
  const result = v.safeParse(schema, message);
  return result.success ? result.output : null;
}

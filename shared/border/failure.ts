import * as v from 'valibot';
import { messageOf } from '../model/message.ts';
import type { Failure } from './message.ts';

/** How the errors of a class cross a border. */
export interface ErrorForm {
  readonly name: string;
  /** What an error has besides its message; undefined for an error of another class. */
  readonly detailOf: (error: unknown) => unknown;
  /** The error again; null if the detail is none of this class. */
  readonly make: (message: string, detail: unknown) => Error | null;
}

/**
 * The form of a class of errors.
 * @param name what messages call the class
 * @param schema the properties that go along
 */
export function errorForm<S extends v.GenericSchema>(
  name: string,
  of: abstract new (...args: never[]) => Error,
  schema: S,
  make: (message: string, detail: v.InferOutput<S>) => Error,
): ErrorForm {
  return {
    name,
    detailOf: (error) => (error instanceof of ? v.parse(schema, error) : undefined),
    make(message, detail) {
      const read = v.safeParse(schema, detail);
      return read.success ? make(message, read.output) : null;
    },
  };
}

/** An error as a message. It keeps its class if that has a form, or if it is an `AbortError` or a `RangeError`. */
export function writeFailure(error: unknown, forms: readonly ErrorForm[]): Failure {
  const message = messageOf(error);
  for (const { name, detailOf } of forms) {
    const detail = detailOf(error);
    if (detail !== undefined) return { name, message, detail };
  }
  if (error instanceof RangeError) return { name: 'RangeError', message };
  const aborted = error instanceof Error && error.name === 'AbortError';
  return { name: aborted ? 'AbortError' : 'Error', message };
}

/** The error that {@link writeFailure} wrote. */
export function readFailure({ name, message, detail }: Failure, forms: readonly ErrorForm[]): Error {
  const error = forms.find((form) => form.name === name)?.make(message, detail);
  if (error != null) return error;
  if (name === 'RangeError') return new RangeError(message);
  return name === 'AbortError' ? Object.assign(new Error(message), { name }) : new Error(message);
}

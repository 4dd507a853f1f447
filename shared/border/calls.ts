import type * as v from 'valibot';

/** What a call is given, what it answers, and what it notes before the answer. */
export interface Call<Given, Answer = void, Note = never> {
  readonly given: Given;
  readonly answer: Answer;
  readonly note: Note;
}

/** What a side of a border answers: its calls by their names. */
export type Calls<C> = { readonly [K in keyof C]: Call<unknown, unknown, unknown> };

/** What messages from outside must be, by the names of calls. A border between parts of one program needs none. */
export type Checks<C extends Calls<C>> = {
  readonly [K in keyof C]: {
    readonly given: v.GenericSchema<unknown, C[K]['given']>;
    readonly answer: v.GenericSchema<unknown, C[K]['answer']>;
    readonly note: v.GenericSchema<unknown, C[K]['note']>;
  };
};

/** The calls that checks allow for. */
export type CheckedCalls<S extends Record<keyof S, Record<keyof Call<0>, v.GenericSchema>>> = {
  readonly [K in keyof S]: Call<
    v.InferOutput<S[K]['given']>,
    v.InferOutput<S[K]['answer']>,
    v.InferOutput<S[K]['note']>
  >;
};

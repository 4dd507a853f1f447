import * as v from 'valibot';
import type { Calls, Checks } from './calls.ts';
import { writeFailure, type ErrorForm } from './failure.ts';
import { contentOf, readQuestion, type Question, type Reply } from './message.ts';
import type { Port } from './port.ts';

/** What a call is answered with. */
export interface Asked<Note> {
  /** Aborted when the asking side waits no more, or is gone. */
  readonly signal: AbortSignal;
  /** Tells the asking side something before the answer; nothing once the call was aborted. */
  readonly note: (note: Note) => void;
}

/** What answers calls, by their names. Calls begin in their order. */
export type Handlers<C extends Calls<C>> = {
  readonly [K in keyof C]: (
    given: C[K]['given'],
    asked: Asked<C[K]['note']>,
  ) => C[K]['answer'] | Promise<C[K]['answer']>;
};

/** How a side answers. */
export interface ServeOptions<C extends Calls<C>> {
  /** What calls from outside must be given. */
  readonly checks?: Checks<C> | undefined;
  /** The classes of errors that are kept. */
  readonly errors?: readonly ErrorForm[] | undefined;
  /** Longer bytes are answered in several messages: the asking side takes each in a task of its own. Absent: in one. */
  readonly pieceBytes?: number | undefined;
  /** True: the memory of bytes that are answered or noted is handed over, and not copied. */
  readonly handsOver?: boolean | undefined;
  /** True: a call begins when the one before it is answered. */
  readonly inTurn?: boolean | undefined;
  /** More calls at once are refused. Absent: no limit. */
  readonly callsMax?: number | undefined;
}

type Ask = Extract<Question, { kind: 'call' }>;

/** Answers what `connect` asks over `port`. */
export function serve<C extends Calls<C>>(
  port: Port,
  handlers: Handlers<C>,
  {
    checks,
    errors = [],
    pieceBytes = Infinity,
    handsOver = false,
    inTurn = false,
    callsMax = Infinity,
  }: ServeOptions<C> = {},
): void {
  const running = new Map<number, AbortController>();
  let closed = false;
  let last: Promise<void> = Promise.resolve();

  port.onClose(() => {
    closed = true;
    for (const controller of running.values()) controller.abort();
  });
  port.onMessage((message) => {
    const question = readQuestion(message);
    if (question?.kind === 'call') take(question);
    else if (question !== null) running.get(question.call)?.abort();
  });

  function send(message: Reply): void {
    if (closed) return;
    const { bytes } = message as { readonly bytes?: Uint8Array };
    port.send(message, handsOver && bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : undefined);
  }

  function take(question: Ask): void {
    const { call } = question;
    const controller = new AbortController();
    if (call !== undefined) {
      if (running.has(call)) return;
      if (running.size >= callsMax) {
        fail(call, new Error(`more than ${callsMax} calls at once`));
        return;
      }
      running.set(call, controller);
    }
    if (inTurn) last = last.then(() => answer(question, controller));
    else void answer(question, controller);
  }

  async function answer({ call, name, given }: Ask, { signal }: AbortController): Promise<void> {
    const note = (value: unknown): void => {
      if (call !== undefined && !signal.aborted) send({ kind: 'note', call, ...contentOf(value) });
    };
    try {
      signal.throwIfAborted();
      const value = await handlerOf(name, given)({ signal, note });
      if (call !== undefined) sendAnswer(call, value);
    } catch (error) {
      if (call !== undefined) fail(call, error);
    } finally {
      if (call !== undefined) running.delete(call);
    }
  }

  function fail(call: number, error: unknown): void {
    send({ kind: 'failed', call, error: writeFailure(error, errors) });
  }

  function handlerOf(name: string, given: unknown): (asked: Asked<unknown>) => unknown {
    if (!Object.hasOwn(handlers, name)) throw unreadable('name', `no call is ${name}`);
    const handle = handlers[name as keyof C];
    if (checks === undefined) return (asked) => handle(given, asked);
    const read = v.safeParse(checks[name as keyof C].given, given);
    if (read.success) return (asked) => handle(read.output, asked);
    const [{ path, message }] = read.issues;
    throw unreadable(path?.[0]?.key?.toString() ?? 'given', message);
  }

  function sendAnswer(call: number, value: unknown): void {
    if (!(value instanceof Uint8Array) || value.length <= pieceBytes) {
      send({ kind: 'answer', call, ...contentOf(value) });
      return;
    }
    const of = value.length;
    let sent = 0;
    // Copies: a message port sends all of the memory that a piece is in.
    const next = () => value.slice(sent, (sent += pieceBytes));
    while (of - sent > pieceBytes) send({ kind: 'piece', call, bytes: next(), of });
    send({ kind: 'answer', call, bytes: next(), of });
  }
}

function unreadable(part: string, why: string): Error {
  return new Error(`this request cannot be read: ${part}: ${why}`);
}

import * as v from 'valibot';
import type { Calls, Checks } from './calls.ts';
import { readFailure, type ErrorForm } from './failure.ts';
import { readReply, valueOf, type Question, type Reply } from './message.ts';
import type { Handed, Port } from './port.ts';

/** What ends a call, what it tells on its way, and what is handed over with it. */
export interface CallOptions<Note> {
  /** Asks the other side to end the call early; it still answers. */
  readonly signal?: AbortSignal | undefined;
  /** If it throws, the call rejects. */
  readonly onNote?: ((note: Note) => void) | undefined;
  readonly handing?: readonly Handed[] | undefined;
}

/** The asking side of a border. */
export interface Asker<C extends Calls<C>> {
  /** Rejects with what the other side threw, or with why there is no answer. */
  call<K extends keyof C & string>(
    name: K,
    given: C[K]['given'],
    options?: CallOptions<C[K]['note']>,
  ): Promise<C[K]['answer']>;
  /** Makes a call without waiting for its answer. Whether the call fails is not told. */
  tell<K extends keyof C & string>(name: K, given: C[K]['given'], handing?: readonly Handed[]): void;
  /** Rejects what waits, and every later call, with `why`. The port stays as it is. */
  end(why: Error): void;
}

/** How a side asks. */
export interface ConnectOptions<C extends Calls<C>> {
  /** What answers and notes from outside must be. */
  readonly checks?: Checks<C> | undefined;
  /** The classes of errors that are kept. */
  readonly errors?: readonly ErrorForm[] | undefined;
  /**
   * The error of a call when the port has closed. `isFirst` is said of the oldest call that waits: where calls are answered
   * in their order, that one was being worked on.
   */
  readonly gone?: ((reason: string, isFirst: boolean) => Error) | undefined;
  /** The error of a call whose answer cannot be read. */
  readonly unreadable?: (() => Error) | undefined;
}

interface Pending {
  readonly name: string;
  readonly onNote: ((note: never) => void) | undefined;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The bytes of an answer that comes in pieces, as far as they are there. */
  whole: { readonly bytes: Uint8Array; filled: number } | null;
}

/** Asks over `port`, where `serve` answers. */
export function connect<C extends Calls<C>>(
  port: Port,
  {
    checks,
    errors = [],
    gone = (reason) => new Error(`the other side is gone: ${reason}`),
    unreadable = () => new Error('the answer cannot be read'),
  }: ConnectOptions<C> = {},
): Asker<C> {
  const pending = new Map<number, Pending>();
  let calls = 0;
  let over: Error | null = null;

  function end(why: Error): void {
    over ??= why;
    for (const { reject } of pending.values()) reject(over);
    pending.clear();
  }

  function checked(name: string, part: 'answer' | 'note', value: unknown): unknown {
    if (checks === undefined) return value;
    const read = v.safeParse(checks[name as keyof C][part], value);
    if (!read.success) throw unreadable();
    return read.output;
  }

  /** Puts bytes behind those of the answer that are there, and gives all of them. */
  function take(call: Pending, bytes: Uint8Array, of: number): Uint8Array {
    const whole = (call.whole ??= { bytes: new Uint8Array(of), filled: 0 });
    if (whole.filled + bytes.length > whole.bytes.length) throw unreadable();
    whole.bytes.set(bytes, whole.filled);
    whole.filled += bytes.length;
    return whole.bytes;
  }

  /** Takes what is said of a call; false once there is no more to come. */
  function hear(call: Pending, reply: Reply): boolean {
    switch (reply.kind) {
      case 'note':
        call.onNote?.(checked(call.name, 'note', valueOf(reply)) as never);
        return true;
      case 'piece':
        take(call, reply.bytes, reply.of);
        return true;
      case 'answer': {
        const { bytes = new Uint8Array(), of = 0 } = reply;
        const value = call.whole === null ? valueOf(reply) : take(call, bytes, of);
        call.resolve(checked(call.name, 'answer', value));
        return false;
      }
      case 'failed':
        call.reject(readFailure(reply.error, errors));
        return false;
    }
  }

  port.onMessage((message) => {
    const reply = readReply(message);
    const call = reply === null ? undefined : pending.get(reply.call);
    if (reply === null || call === undefined) return;
    try {
      if (hear(call, reply)) return;
    } catch (error) {
      call.reject(error);
    }
    pending.delete(reply.call);
  });
  port.onClose((reason) => {
    const [first] = pending;
    if (first !== undefined) {
      const [number, { reject }] = first;
      pending.delete(number);
      reject(gone(reason, true));
    }
    end(gone(reason, false));
  });

  return {
    async call(name, given, { signal, onNote, handing } = {}) {
      signal?.throwIfAborted();
      if (over !== null) throw over;
      const call = calls++;
      const abort = (): void => port.send({ kind: 'abort', call } satisfies Question);
      signal?.addEventListener('abort', abort);
      try {
        return await new Promise((resolve, reject) => {
          pending.set(call, { name, onNote, resolve, reject, whole: null });
          port.send({ kind: 'call', name, call, given } satisfies Question, handing);
        });
      } finally {
        pending.delete(call);
        signal?.removeEventListener('abort', abort);
      }
    },
    tell(name, given, handing) {
      if (over === null) port.send({ kind: 'call', name, given } satisfies Question, handing);
    },
    end,
  };
}

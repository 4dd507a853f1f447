import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect, errorForm, messagePort, serve, webSocketPort } from './index.ts';
import type { Asked, Asker, Call, CheckedCalls, Port, ServeOptions } from './index.ts';

class ColourError extends Error {
  override readonly name = 'ColourError';
  readonly colour: string;

  constructor(message: string, colour: string) {
    super(message);
    this.colour = colour;
  }
}

const colourForm = errorForm(
  'ColourError',
  ColourError,
  v.object({ colour: v.string() }),
  (message, { colour }) => new ColourError(message, colour),
);

interface Work {
  readonly value: unknown;
  /** So many turns it takes; it notes each. */
  readonly turns: number;
  readonly isWrong: boolean;
}

interface TestCalls {
  work: Call<Work, unknown, number>;
  bytes: Call<number, Uint8Array, Uint8Array>;
  fail: Call<'colour' | 'range' | 'other'>;
  forever: Call<null>;
  function: Call<null, unknown>;
}

const pattern = (length: number) => Uint8Array.from({ length }, (_, at) => at % 251);

const handlers = {
  async work({ value, turns, isWrong }: Work, { signal, note }: Asked<number>) {
    for (let turn = 0; turn < turns; turn += 1) {
      await setImmediate();
      signal.throwIfAborted();
      note(turn);
    }
    if (isWrong) throw new Error(`wrong after ${turns} turns`);
    return value;
  },
  bytes(length: number, { note }: Asked<Uint8Array>) {
    note(pattern(length));
    return pattern(length);
  },
  fail(kind: TestCalls['fail']['given']): undefined {
    if (kind === 'colour') throw new ColourError('not so red', 'red');
    if (kind === 'range') throw new RangeError('no batch 9');
    throw new TypeError('something else');
  },
  forever: (_: null, { signal }: Asked<never>) =>
    new Promise<undefined>((_, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('It was cancelled.', 'AbortError')));
    }),
  function: () => () => 1,
};

const ends: (() => void)[] = [];
afterAll(() => ends.forEach((end) => end()));

/** The two ends of each kind of channel. */
const channels = {
  'a MessageChannel'(): Promise<readonly [Port, Port]> {
    const { port1, port2 } = new MessageChannel();
    ends.push(() => port1.close());
    return Promise.resolve([messagePort(port1), messagePort(port2)]);
  },
  async 'a WebSocket'(): Promise<readonly [Port, Port]> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new WebSocketServer({ server });
    const connected = once(sockets, 'connection') as Promise<[WebSocket]>;
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    ends.push(() => {
      socket.terminate();
      server.close();
    });
    const [other] = await connected;
    return [webSocketPort(other), webSocketPort(socket)];
  },
};

const CHANNELS = ['a MessageChannel', 'a WebSocket'] as const;

async function open(
  channel: keyof typeof channels = 'a MessageChannel',
  serving: ServeOptions<TestCalls> = {},
): Promise<Asker<TestCalls>> {
  const [far, near] = await channels[channel]();
  serve<TestCalls>(far, handlers, { errors: [colourForm], ...serving });
  return connect<TestCalls>(near, { errors: [colourForm] });
}

test.each(CHANNELS)('over %s each call gets its notes and its answer', async (channel) => {
  const asker = await open(channel);
  const asked = fc.record({
    // JSON has no -0, which `jsonValue` makes at times: a WebSocket cannot carry one.
    value: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    turns: fc.nat(6),
    isWrong: fc.boolean(),
    abortAfter: fc.option(fc.nat(8)),
    startAfter: fc.nat(4),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 20 }), async (works) => {
      const outcomes = works.map(async ({ abortAfter, startAfter, ...work }) => {
        const turnsPass = async (turns: number) => {
          for (let turn = 0; turn < turns; turn += 1) await setImmediate();
        };
        await turnsPass(startAfter);
        const abort = new AbortController();
        if (abortAfter !== null) void turnsPass(abortAfter).then(() => abort.abort());
        const notes: number[] = [];
        const onNote = (note: number) => notes.push(note);
        const all = Array.from({ length: work.turns }, (_, turn) => turn);
        try {
          const answer = await asker.call('work', work, { signal: abort.signal, onNote });
          expect(work.isWrong).toBe(false);
          expect(answer).toEqual(work.value);
          expect(notes).toEqual(all);
        } catch (error) {
          const { name, message } = error as Error;
          if (name === 'AbortError') expect(abort.signal.aborted).toBe(true);
          else if (work.isWrong) expect(message).toBe(`wrong after ${work.turns} turns`);
          else throw error;
          expect(notes).toEqual(all.slice(0, notes.length));
        }
      });
      await Promise.all(outcomes);
    }),
    { numRuns: 60 },
  );
});

test.each(CHANNELS)('over %s bytes come whole, whatever pieces they are sent in', async (channel) => {
  for (const pieceBytes of [1, 7, 1 << 20]) {
    const asker = await open(channel, { pieceBytes });
    for (const length of [0, 1, 6, 7, 8, 14, 15]) {
      const notes: Uint8Array[] = [];
      const bytes = await asker.call('bytes', length, { onNote: (note) => notes.push(note) });
      expect([bytes, ...notes]).toEqual([pattern(length), pattern(length)]);
    }
  }
});

test('an error keeps its class where that has a form, and its message always', async () => {
  const asker = await open();
  const failure = (kind: TestCalls['fail']['given']) =>
    asker.call('fail', kind).catch((error: unknown) => error as Error);
  const colour = await failure('colour');
  expect(colour).toBeInstanceOf(ColourError);
  expect(colour).toMatchObject({ message: 'not so red', colour: 'red' });
  expect(await failure('range')).toEqual(new RangeError('no batch 9'));
  expect(await failure('other')).toEqual(new Error('something else'));
});

test('a call of no name and an answer that no message can carry are errors', async () => {
  const asker = await open();
  await expect(asker.call('toString' as 'fail', 'other')).rejects.toThrow(
    'this request cannot be read: name: no call is toString',
  );
  await expect(asker.call('function', null)).rejects.toThrow('could not be cloned');
  expect(await asker.call('work', { value: 1, turns: 0, isWrong: false })).toBe(1);
});

test('a question that no message can carry is an error, and so is a signal that is aborted already', async () => {
  const asker = await open();
  await expect(asker.call('work', { value: () => 1, turns: 0, isWrong: false })).rejects.toThrow(
    'could not be cloned',
  );
  await expect(asker.call('forever', null, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
});

test('a call rejects with what its listener to notes throws, and others go on', async () => {
  const asker = await open();
  const onNote = () => {
    throw new Error('too much');
  };
  const noted = asker.call('work', { value: 1, turns: 2, isWrong: false }, { onNote });
  const other = asker.call('work', { value: 2, turns: 2, isWrong: false });
  await expect(noted).rejects.toThrow('too much');
  expect(await other).toBe(2);
});

test('calls begin in turn where that is asked for, and one that is aborted before its turn does not', async () => {
  const asker = await open('a MessageChannel', { inTurn: true });
  const abort = new AbortController();
  const told: string[] = [];
  const call = (value: string, turns: number, signal?: AbortSignal) =>
    asker.call('work', { value, turns, isWrong: false }, { signal, onNote: () => told.push(value) }).then(
      () => told.push(`${value} done`),
      (error: unknown) => told.push(`${value} ${(error as Error).name}`),
    );
  const calls = [call('a', 2), call('b', 1, abort.signal), call('c', 1)];
  abort.abort();
  await Promise.all(calls);
  expect(told).toEqual(['a', 'a', 'a done', 'b AbortError', 'c', 'c done']);
});

test('more calls at once than may be are refused', async () => {
  const asker = await open('a MessageChannel', { callsMax: 1 });
  const abort = new AbortController();
  const first = asker.call('forever', null, { signal: abort.signal });
  await expect(asker.call('fail', 'other')).rejects.toThrow('more than 1 calls at once');
  abort.abort();
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  await expect(asker.call('fail', 'other')).rejects.toThrow('something else');
});

test('when the port closes, the oldest call is told apart, and calls under way are aborted', async () => {
  const [far, near] = await channels['a MessageChannel']();
  const signals: AbortSignal[] = [];
  serve<Pick<TestCalls, 'forever'>>(far, {
    forever(_, { signal }) {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  const asker = connect<Pick<TestCalls, 'forever'>>(near, {
    gone: (reason, isFirst) => new Error(`${reason}, ${isFirst ? 'first' : 'later'}`),
  });
  const outcomes = [asker.call('forever', null), asker.call('forever', null)].map((call) =>
    call.catch((error: unknown) => (error as Error).message),
  );
  await expect.poll(() => signals.length).toBe(2);
  void far.close();
  expect(await Promise.all(outcomes)).toEqual(['the port was closed, first', 'the port was closed, later']);
  await expect(asker.call('forever', null)).rejects.toThrow('the port was closed, later');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});

test('an asker that was ended rejects what waits and what comes', async () => {
  const asker = await open();
  const waiting = asker.call('forever', null);
  asker.end(new Error('the trace was closed'));
  await expect(waiting).rejects.toThrow('the trace was closed');
  await expect(asker.call('forever', null)).rejects.toThrow('the trace was closed');
});

const checks = {
  double: {
    given: v.pipe(v.number(), v.maxValue(10)),
    answer: v.pipe(v.number(), v.maxValue(10)),
    note: v.never(),
  },
  named: { given: v.object({ name: v.string() }), answer: v.undefined(), note: v.never() },
};
type Checked = CheckedCalls<typeof checks>;

test('what does not pass the checks is refused on either side, in words', async () => {
  const [far, near] = await channels['a WebSocket']();
  serve<Checked>(far, { double: (given) => given * 2, named: () => undefined }, { checks });
  const asker = connect<Checked>(near, { checks });
  expect(await asker.call('double', 5)).toBe(10);
  await asker.call('named', { name: 'a' });
  await expect(asker.call('double', 6)).rejects.toThrow('the answer cannot be read');
  await expect(asker.call('double', 11)).rejects.toThrow(
    'this request cannot be read: given: Invalid value: Expected <=10 but received 11',
  );
  await expect(asker.call('named', { name: 1 } as unknown as { name: string })).rejects.toThrow(
    'this request cannot be read: name: Invalid type: Expected string but received 1',
  );
});

test('an answer that is longer than it said, and messages of no border, do no harm', async () => {
  const { port1, port2 } = new MessageChannel();
  ends.push(() => port1.close());
  const far = messagePort(port1);
  far.onMessage(() => {
    far.send({ kind: 'answer' });
    far.send(['note']);
    far.send({ kind: 'piece', call: 0, bytes: new Uint8Array(8), of: 4 });
  });
  const asker = connect<TestCalls>(messagePort(port2));
  await expect(asker.call('bytes', 1)).rejects.toThrow('the answer cannot be read');
});

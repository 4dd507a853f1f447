import { expect, test } from 'vitest';
import { encodeRequest, ReplyStream, type Reply, type Request } from './codec.ts';
import { decode, encode, queryResults, randomNumbers } from './testing/reference-codec.ts';

test.each<[Request, Record<string, unknown>]>([
  [
    { kind: 'append', bytes: new Uint8Array([1, 2, 3]) },
    { request: 1, appendTraceData: [1, 2, 3] },
  ],
  [{ kind: 'finalize' }, { request: 2 }],
  [
    { kind: 'query', sql: 'SELECT "é"' },
    { request: 3, queryArgs: { sqlQuery: 'SELECT "é"' } },
  ],
  [
    {
      kind: 'register',
      name: 'etw',
      modules: [
        { name: 'etw.a', sql: 'SELECT 1;' },
        { name: 'etw.b', sql: '' },
      ],
    },
    {
      request: 13,
      registerSqlPackageArgs: {
        packageName: 'etw',
        modules: [
          { name: 'etw.a', sql: 'SELECT 1;' },
          { name: 'etw.b', sql: '' },
        ],
        allowOverride: true,
      },
    },
  ],
])('a request is the message that protobufjs reads: %j', (request, expected) => {
  expect(decode('TraceProcessorRpcStream', encodeRequest(300, request))).toEqual({
    msg: [{ seq: 300, ...expected }],
  });
});

test('a large request keeps all its bytes', () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
  const { msg } = decode('TraceProcessorRpcStream', encodeRequest(0, { kind: 'append', bytes }));
  expect(msg).toEqual([{ seq: 0, request: 1, appendTraceData: [...bytes] }]);
});

const results = queryResults(['n', 'name'], [1, 'one', -2, null, 2.5, 'x'.repeat(300)], 4);
const messages = [
  { seq: 0, response: 1, appendResult: { totalBytesParsed: 5, error: 'it is no trace' } },
  ...results.map((queryResult, i) => ({ seq: i + 1, response: 3, queryResult })),
  { seq: 9, response: 3, queryResult: { error: 'no such table: x', elapsedTimeMs: 0.5 } },
  { seq: 10, fatalError: 'RPC request out of order' },
  { seq: 11, invalidRequest: 99 },
];
const replies: Reply[] = [
  { seq: 0, result: null, error: 'it is no trace', fatal: false },
  ...results.map((result, i) => ({
    seq: i + 1,
    result: encode('QueryResult', result),
    error: null,
    fatal: false,
  })),
  {
    seq: 9,
    result: encode('QueryResult', { error: 'no such table: x', elapsedTimeMs: 0.5 }),
    error: 'no such table: x',
    fatal: false,
  },
  { seq: 10, result: null, error: 'RPC request out of order', fatal: true },
  { seq: 11, result: null, error: 'trace_processor has no method 99', fatal: true },
];

const plain = (found: readonly Reply[]) =>
  found.map((reply) => ({ ...reply, result: reply.result && [...reply.result] }));

test('replies are the same however the stream is cut', () => {
  const bytes = encode('TraceProcessorRpcStream', { msg: messages });
  const random = randomNumbers(1);
  const cuts = [bytes.length, 1, 2, 3, 7, 300, ...Array.from({ length: 200 }, () => 0)];
  for (const fixed of cuts) {
    const stream = new ReplyStream();
    const found: Reply[] = [];
    for (let at = 0; at < bytes.length;) {
      const next = at + (fixed || 1 + Math.floor(random() * 200));
      found.push(...stream.push(bytes.subarray(at, next)));
      at = next;
    }
    expect(plain(found)).toEqual(plain(replies));
  }
});

test('a stream that is no frames is refused', () => {
  expect(() => new ReplyStream().push(new Uint8Array([0x12, 1, 0]))).toThrow(
    'no frame of trace_processor at offset 0',
  );
});

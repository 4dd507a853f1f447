/**
 * The frames and messages of trace_processor's byte protocol.
 * Source: `protos/perfetto/trace_processor/trace_processor.proto` of Perfetto 55.
 */
import type { SqlModule } from '../sql/index.ts';
import { concat, WIRE, WireError, WireReader, WireWriter } from './wire.ts';

/** Fields of `TraceProcessorRpc`. */
const FIELD = {
  frame: 1,
  seq: 1,
  request: 2,
  response: 3,
  invalidRequest: 4,
  fatalError: 5,
  appendData: 101,
  queryArgs: 103,
  registerPackage: 108,
  appendResult: 201,
  queryResult: 203,
  registerResult: 211,
  finalizeResult: 212,
} as const;

/** Fields of the results: which one holds the error text. */
const ERROR_FIELD = {
  [FIELD.appendResult]: 2,
  [FIELD.queryResult]: 2,
  [FIELD.registerResult]: 1,
  [FIELD.finalizeResult]: 1,
} as const;

/** Values of `TraceProcessorRpc.TraceProcessorMethod`. */
const METHOD = {
  appendTraceData: 1,
  finalizeTraceData: 2,
  queryStreaming: 3,
  registerSqlPackage: 13,
} as const;

/** What trace_processor can be asked. */
export type Request =
  | { readonly kind: 'append'; readonly bytes: Uint8Array }
  | { readonly kind: 'finalize' }
  | { readonly kind: 'query'; readonly sql: string }
  | { readonly kind: 'register'; readonly name: string; readonly modules: readonly SqlModule[] };

/** One message of trace_processor. */
export interface Reply {
  readonly seq: number;
  /** The `QueryResult` message that it carries, not copied; null in replies to other requests. */
  readonly result: Uint8Array | null;
  /** Why the request failed. */
  readonly error: string | null;
  /** True where trace_processor takes no more requests. */
  readonly fatal: boolean;
}

/** Writes one request as a frame. `seq` counts from 0, one a message. */
export function encodeRequest(seq: number, request: Request): Uint8Array {
  return new WireWriter()
    .message(FIELD.frame, (message) => {
      message.varint(FIELD.seq, seq);
      switch (request.kind) {
        case 'append':
          message.varint(FIELD.request, METHOD.appendTraceData).bytes(FIELD.appendData, request.bytes);
          return;
        case 'finalize':
          message.varint(FIELD.request, METHOD.finalizeTraceData);
          return;
        case 'query':
          message
            .varint(FIELD.request, METHOD.queryStreaming)
            .message(FIELD.queryArgs, (args) => args.text(1, request.sql));
          return;
        case 'register':
          message.varint(FIELD.request, METHOD.registerSqlPackage).message(FIELD.registerPackage, (args) => {
            args.text(1, request.name);
            for (const { name, sql } of request.modules) {
              args.message(2, (module) => module.text(1, name).text(2, sql));
            }
            args.varint(3, 1);
          });
      }
    })
    .finish();
}

/** Cuts the engine's byte stream, which comes in slices of any size, into messages. */
export class ReplyStream {
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Bytes that the frame at the start of `#pending` needs in all; 0 while its length is not known. */
  #neededBytes = 0;

  /** Takes a slice, which it copies, and gives the messages that are complete by now. */
  push(slice: Uint8Array): Reply[] {
    this.#pending.push(slice.slice());
    this.#pendingBytes += slice.length;
    if (this.#pendingBytes < this.#neededBytes) return [];

    const bytes = concat(this.#pending);
    const replies: Reply[] = [];
    let used = 0;
    this.#neededBytes = 0;
    while (used < bytes.length) {
      const frame = frameAt(bytes, used);
      if (frame === null) break;
      if (frame.end > bytes.length) {
        this.#neededBytes = frame.end - used;
        break;
      }
      replies.push(decodeReply(new WireReader(bytes, frame.start, frame.end)));
      used = frame.end;
    }
    this.#pending = used < bytes.length ? [bytes.slice(used)] : [];
    this.#pendingBytes = bytes.length - used;
    return replies;
  }
}

/** Where the message of the frame at `offset` starts and ends; null if not even its length is there yet. */
function frameAt(bytes: Uint8Array, offset: number): { start: number; end: number } | null {
  if (bytes[offset] !== FIELD.frame * 8 + WIRE.bytes) {
    throw new WireError(`no frame of trace_processor at offset ${offset}`);
  }
  let lengthEnd = offset + 1;
  while ((bytes[lengthEnd] ?? 0) >= 0x80) lengthEnd++;
  if (lengthEnd >= bytes.length) return null;
  const reader = new WireReader(bytes, offset + 1);
  const sizeBytes = reader.length();
  return { start: reader.position, end: reader.position + sizeBytes };
}

function decodeReply(message: WireReader): Reply {
  let seq = 0;
  let result: Uint8Array | null = null;
  let error: string | null = null;
  let fatal = false;
  while (!message.done) {
    const tag = message.tag();
    const field = tag >>> 3;
    switch (field) {
      case FIELD.seq:
        seq = message.length();
        break;
      case FIELD.invalidRequest:
        error = `trace_processor has no method ${message.length()}`;
        fatal = true;
        break;
      case FIELD.fatalError:
        error = text(message.bytes());
        fatal = true;
        break;
      case FIELD.appendResult:
      case FIELD.registerResult:
      case FIELD.finalizeResult:
        error = findText(message.message(), ERROR_FIELD[field]) ?? error;
        break;
      case FIELD.queryResult:
        result = message.bytes();
        error = findText(new WireReader(result), ERROR_FIELD[field]) ?? error;
        break;
      default:
        message.skip(tag);
    }
  }
  return { seq, result, error, fatal };
}

/** The text in `field`, or null if it is absent or empty. */
function findText(message: WireReader, field: number): string | null {
  while (!message.done) {
    const tag = message.tag();
    if (tag === field * 8 + WIRE.bytes) return text(message.bytes()) || null;
    message.skip(tag);
  }
  return null;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

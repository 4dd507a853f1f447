import { Transform, type TransformCallback } from 'node:stream';
import { ErrorCode, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** The longest message that is read, in bytes. */
const LONGEST_BYTES = 1 << 20;
const END_OF_LINE = 10;

/**
 * Lets through the lines that are messages of JSON-RPC, and calls `refuse` with an error in its form for each that is none. A line that
 * is too long is never held.
 */
export class CheckedLines extends Transform {
  readonly #refuse: (error: string) => void;
  #parts: Buffer[] = [];
  #size_bytes = 0;

  constructor(refuse: (error: string) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(END_OF_LINE); end >= 0; end = chunk.indexOf(END_OF_LINE, from)) {
      this.#add(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    done();
  }

  #add(part: Buffer): void {
    this.#size_bytes += part.length;
    if (this.#size_bytes <= LONGEST_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }

  #endLine(): void {
    const text = Buffer.concat(this.#parts).toString('utf8').trim();
    const isTooLong = this.#size_bytes > LONGEST_BYTES;
    [this.#parts, this.#size_bytes] = [[], 0];
    if (isTooLong) this.#tell(null, ErrorCode.InvalidRequest, `a message has at most ${LONGEST_BYTES} bytes`);
    else if (text !== '') this.#check(text);
  }

  #check(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.#tell(null, ErrorCode.ParseError, 'a message is one line of JSON');
      return;
    }
    if (JSONRPCMessageSchema.safeParse(message).success) this.push(`${text}\n`);
    else this.#tell(idOf(message), ErrorCode.InvalidRequest, 'this is no message of JSON-RPC 2.0');
  }

  #tell(id: string | number | null, code: ErrorCode, message: string): void {
    this.#refuse(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** The id of what is meant as a request, so that its sender knows the error. */
function idOf(message: unknown): string | number | null {
  const id: unknown = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 200) ? id : null;
}

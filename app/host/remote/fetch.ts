import { request as requestPlain, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';

/** What is asked. */
export interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A server that says nothing for so long is gone, in ms. */
const SILENCE_MS = 60_000;
/** The longest text that is read as a whole. */
const LONGEST_TEXT_BYTES = 1 << 20;

/** What a server answered; its body is yet to be read. */
export class Answer {
  readonly status: number;
  readonly body: IncomingMessage;
  readonly url: string;

  constructor(body: IncomingMessage, url: string) {
    this.status = body.statusCode ?? 0;
    this.body = body;
    this.url = url;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** A header by its name in small letters; null if there is none. */
  header(name: string): string | null {
    const value = this.body.headers[name];
    return typeof value === 'string' ? value : null;
  }

  /** The body as text, to be read once. Rejects if it is longer than any answer of ours. */
  async text(most_bytes = LONGEST_TEXT_BYTES): Promise<string> {
    const parts: Buffer[] = [];
    let size_bytes = 0;
    for await (const part of this.body as AsyncIterable<Buffer>) {
      size_bytes += part.length;
      if (size_bytes > most_bytes) throw new Error(`the answer has more than ${most_bytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** The body as JSON; null if it is none. */
  async json(most_bytes = LONGEST_TEXT_BYTES): Promise<unknown> {
    try {
      return JSON.parse(await this.text(most_bytes)) as unknown;
    } catch {
      return null;
    }
  }
}

/** Asks a server, as the `fetch` of newer Nodes does; a redirect is an answer like any other. Rejects if no answer comes. */
export function fetch(url: URL, { method = 'GET', headers = {}, body, signal }: Question): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const options = { method, headers, ...(signal && { signal }) };
    const request = send(url, options, (answer) => resolve(new Answer(answer, url.href)));
    request.setTimeout(SILENCE_MS, () =>
      request.destroy(new Error(`${url.host} has been silent for ${SILENCE_MS / 1000} s`)),
    );
    request.on('error', reject);
    if (body instanceof Readable) {
      body.on('error', (error) => request.destroy(error));
      body.pipe(request);
    } else {
      request.end(body);
    }
  });
}

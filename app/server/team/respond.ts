import type { IncomingMessage, ServerResponse } from 'node:http';
import { TeamError } from './team-error.ts';

const SMALL_BODY_BYTES = 16 << 10;
const SMALL_BODY_MS = 10_000;

/** Answers with a line of text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(value));
}

/** Reads the short body of a request; rejects with a `TeamError` if it is long or slow. */
export async function readSmallBody(request: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => request.destroy(), SMALL_BODY_MS);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    // The answer is still to be sent on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > SMALL_BODY_BYTES)
        throw new TeamError(413, `at most ${SMALL_BODY_BYTES} bytes are taken here`, { connection: 'close' });
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { readSmallBody, SMALL_BODY_BYTES } from '../small-body.ts';
import { TeamError } from './team-error.ts';

/** Answers with a line of text. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
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

/** Reads the short body of a request; rejects with a `TeamError` if it is long. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const body = await readSmallBody(request);
  if (body !== null) return body;
  throw new TeamError(413, `at most ${SMALL_BODY_BYTES} bytes are taken here`, { connection: 'close' });
}

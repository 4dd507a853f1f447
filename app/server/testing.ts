import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks a server with whatever headers, also those that `fetch` forbids. The path is sent as it is. */
export function ask(
  url: string,
  path: string,
  { headers = {}, body }: { headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The cookie that a browser has after it opened the server's address. */
export async function signIn(url: string): Promise<string> {
  const { search } = new URL(url);
  const { headers } = await ask(url, `/${search}`);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

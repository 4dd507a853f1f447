import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an object storage says where it refuses. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Stands before an object storage, and refuses to take objects in its place. */
export interface RefusingProxy {
  readonly endpoint: string;
  /** Lets so many objects through, and refuses all after them; null refuses none. */
  refuse(refusal: Refusal | null, after?: number): void;
  end(): Promise<void>;
}

/** Starts a proxy before the storage at a port of this machine. */
export async function startRefusingProxy(port: number): Promise<RefusingProxy> {
  let refusal: Refusal | null = null;
  let left = 0;
  const server = createServer((request, response) => {
    if (request.method === 'PUT' && refusal !== null && left-- <= 0) {
      const { status, code } = refusal;
      request.resume();
      request.on('end', () => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(
          `<?xml version="1.0"?><Error><Code>${code}</Code><Message>says ${code}</Message></Error>`,
        );
      });
      return;
    }
    const { method, url, headers } = request;
    const asked = ask({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse(next, after = 0) {
      refusal = next;
      left = after;
    },
    async end() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

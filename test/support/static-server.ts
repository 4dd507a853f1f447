import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { root } from './places.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** Serves the folder of the page that needs no server. `scripts/setup.sh --for-tests` builds it, once for all tests. */
export function servePage(): Promise<StaticServer> {
  const folder = join(root, 'dist', 'web');
  if (!existsSync(join(folder, 'service-worker.js')))
    throw new Error(`there is no page in ${folder}: run node scripts/build-web.mjs first`);
  return serveFolder(folder);
}

/** A web server that knows nothing but the files of a folder. */
export interface StaticServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder as any web server does, without headers of ours. */
export async function serveFolder(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    const asked = join(folder, normalize(decodeURIComponent(pathname)));
    const path = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, 'index.html') : asked;
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
    return createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

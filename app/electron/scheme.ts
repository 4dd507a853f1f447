import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { protocol } from 'electron';
import { CONTENT_TYPES, PAGE_HEADERS } from '../host/page.ts';

const SCHEME = 'outrank-app';

/** The origin of the app's page. */
export const ORIGIN = `${SCHEME}://app`;

/** The address of the app's page. */
export const PAGE = `${ORIGIN}/index.html`;

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** What Electron before 25 has in place of `protocol.handle`. */
interface BufferProtocol {
  registerBufferProtocol(
    scheme: string,
    handler: (
      request: { readonly url: string },
      callback: (response: { statusCode: number; headers: Record<string, string>; data: Buffer }) => void,
    ) => void,
  ): void;
}

/** Says what the scheme may do. To be called before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

/** Serves the files of one folder under {@link ORIGIN}; anything else is not found. */
export function serveScheme(folder: string): void {
  if ('handle' in protocol) {
    protocol.handle(SCHEME, async ({ url }) => {
      const { status, headers, body } = await replyTo(url, folder);
      return new Response(new Uint8Array(body), { status, headers });
    });
  } else {
    (protocol as BufferProtocol).registerBufferProtocol(SCHEME, ({ url }, callback) => {
      void replyTo(url, folder).then(({ status, headers, body }) =>
        callback({ statusCode: status, headers, data: body }),
      );
    });
  }
}

async function replyTo(address: string, folder: string): Promise<Reply> {
  const path = pathWithin(folder, address);
  const body = path === null ? null : await readFile(path).catch(() => null);
  if (path === null || body === null) {
    return {
      status: 404,
      headers: { ...PAGE_HEADERS, 'content-type': 'text/plain' },
      body: Buffer.from('not found'),
    };
  }
  const contentType = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream';
  return { status: 200, headers: { ...PAGE_HEADERS, 'content-type': contentType }, body };
}

/** The file that an address names; null where it is not of our origin or leaves the folder. */
export function pathWithin(folder: string, address: string): string | null {
  const { protocol: scheme, host, pathname } = new URL(address);
  if (`${scheme}//${host}` !== ORIGIN) return null;
  let name;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const path = join(folder, name);
  return path.startsWith(folder + sep) && !name.includes('\0') ? path : null;
}

import { protocol } from 'electron';
import { readAppFile } from './app-files.ts';

const SCHEME = 'outrank-app';

/** The origin of the app's page. */
export const ORIGIN = `${SCHEME}://app`;

/** The address of the app's page. */
export const PAGE = `${ORIGIN}/index.html`;

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
      const { status, headers, body } = await readAppFile(url, ORIGIN, folder);
      return new Response(new Uint8Array(body), { status, headers });
    });
  } else {
    (protocol as BufferProtocol).registerBufferProtocol(SCHEME, ({ url }, callback) => {
      void readAppFile(url, ORIGIN, folder).then(({ status, headers, body }) =>
        callback({ statusCode: status, headers, data: body }),
      );
    });
  }
}

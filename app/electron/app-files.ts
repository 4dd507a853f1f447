import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { CONTENT_TYPES, PAGE_HEADERS } from '../host/page.ts';
import { pathWithin } from '../server/static-files.ts';

/** The answer to a request for one of the app's own files. */
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Reads the file of `folder` that an address of `origin` names; any other address is not found. */
export async function readAppFile(address: string, origin: string, folder: string): Promise<Reply> {
  const { protocol, host, pathname } = new URL(address);
  const path = `${protocol}//${host}` === origin ? pathWithin(folder, pathname) : null;
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

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CONTENT_TYPES } from '../host/page.ts';

/** Answers with a file of `folder`; false if there is none of that name. */
export async function sendFile(folder: string, pathname: string, response: ServerResponse): Promise<boolean> {
  const path = pathWithin(folder, pathname === '/' ? '/index.html' : pathname);
  const stats = path === null ? null : await stat(path).catch(() => null);
  if (path === null || !stats?.isFile()) return false;
  response.writeHead(200, {
    'content-type': CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    'content-length': stats.size,
    'cache-control': 'no-cache',
  });
  await pipeline(createReadStream(path), response);
  return true;
}

/** The path of a file inside `folder` (absolute, without a slash at its end); null if the name leads out of it. */
export function pathWithin(folder: string, pathname: string): string | null {
  let name;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const path = join(folder, name);
  return path.startsWith(folder + sep) && !name.includes('\0') ? path : null;
}

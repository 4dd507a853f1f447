import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { safeName } from './uploads.ts';

/** Exports that a page has begun and not yet fetched: more is no honest page's. */
const MOST_WAITING = 16;

/** Exports on their way to the browser: each is kept in a folder until it is fetched once, or the server ends. */
export class Exports {
  readonly #dir: string;
  /** The files that may be exported to. */
  readonly paths = new Set<string>();

  constructor(parent: string) {
    this.#dir = join(parent, `exports-${randomBytes(8).toString('hex')}`);
  }

  /** A place for an export of a name, made harmless. The oldest export that was not fetched makes room. */
  async place(name: string): Promise<string> {
    const [oldest] = this.paths;
    if (oldest !== undefined && this.paths.size >= MOST_WAITING) await this.#drop(oldest);
    const dir = join(this.#dir, randomBytes(8).toString('hex'));
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, safeName(name));
    this.paths.add(path);
    return path;
  }

  /** Sends an export as a download, after which it is gone; false if there is none of this path. */
  async send(path: string, response: ServerResponse): Promise<boolean> {
    if (!this.paths.delete(path)) return false;
    try {
      await download(path, response);
    } finally {
      await this.#drop(path);
    }
    return true;
  }

  /** Removes all of them. */
  async end(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #drop(path: string): Promise<void> {
    this.paths.delete(path);
    await rm(dirname(path), { recursive: true, force: true });
  }
}

async function download(path: string, response: ServerResponse): Promise<void> {
  const { size } = await stat(path);
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': size,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(basename(path))}`,
    'cache-control': 'no-store',
  });
  await pipeline(createReadStream(path), response);
}

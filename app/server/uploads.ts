import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** An upload that is longer than this server takes. */
export class TooLargeError extends Error {}

/** Files that were dropped on the page: kept in a folder until the server ends. */
export class Uploads {
  readonly #dir: string;
  readonly #limitBytes: number;

  constructor(parent: string, limitBytes: number) {
    this.#dir = join(parent, `uploads-${randomBytes(8).toString('hex')}`);
    this.#limitBytes = limitBytes;
  }

  /** Keeps a file under its name, made harmless; gives its path. Nothing stays of one that broke off. */
  async keep(name: string, body: Readable): Promise<string> {
    const dir = join(this.#dir, randomBytes(8).toString('hex'));
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const path = join(dir, safeName(name));
    try {
      await pipeline(
        body,
        (chunks) => this.#bounded(chunks as AsyncIterable<Buffer>),
        createWriteStream(path),
      );
      return path;
    } catch (error) {
      await rm(dir, { recursive: true, force: true });
      throw error;
    }
  }

  /** Removes all of them. */
  async end(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  async *#bounded(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > this.#limitBytes) throw new TooLargeError(`more than ${this.#limitBytes} bytes`);
      yield chunk;
    }
  }
}

/** A file name from outside, without folders, control characters, and what file systems forbid. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const safe = base
    .replace(/[^\p{L}\p{N} ._()+-]/gu, '_')
    .slice(-100)
    .replace(/^[\uDC00-\uDFFF]/, '');
  return /^\.*$/.test(safe) ? 'trace' : safe;
}

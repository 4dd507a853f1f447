import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { TraceId } from '../../host/api.ts';
import { writeDurably } from './durable.ts';

const begun = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** What the object storage calls the parts that were sent to it; null while there are none. */
  uploadId: v.nullable(v.string()),
});

/** A trace that was being put into an object storage. */
export type Begun = v.InferOutput<typeof begun>;

/**
 * Which traces are being put into an object storage, in a local folder: what a killed process left half done there can be
 * removed when the next one starts. Not every storage lists the parts that it holds.
 */
export class BegunTraces {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Those that the last process did not finish. */
  async left(): Promise<readonly Begun[]> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#dir);
    const texts = names.map((name) => readFile(join(this.#dir, name), 'utf8'));
    return (await Promise.all(texts)).map(readBegun).filter((each) => each !== null);
  }

  async note({ id, uploadId }: Begun): Promise<void> {
    await writeDurably(join(this.#dir, `${id}.json`), JSON.stringify({ id, uploadId }));
  }

  async forget(id: TraceId): Promise<void> {
    await rm(join(this.#dir, `${id}.json`), { force: true });
  }
}

function readBegun(text: string): Begun | null {
  try {
    return v.parse(begun, JSON.parse(text));
  } catch {
    return null;
  }
}

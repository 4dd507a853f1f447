import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { partialPath } from '../../server/store/durable.ts';
import { S3Asker } from '../../server/store/s3-asker.ts';
import { StoreError } from '../../server/store/trace-store.ts';
import { LakeError } from './lake-error.ts';
import type { LakeStorage, StoredFile } from './storage.ts';

/** A lake in a bucket of an S3-compatible object storage. An object appears whole or not at all. */
export class S3Storage implements LakeStorage {
  readonly address: string;
  readonly #s3: S3Asker;
  readonly #bucket: string;
  readonly #prefix: string;

  private constructor(s3: S3Asker, bucket: string, prefix: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.address = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
  }

  /** The lake in a bucket, which must be there. Rejects with a {@link LakeError} if it cannot be reached. */
  static async open({
    bucket,
    prefix,
  }: {
    readonly bucket: string;
    readonly prefix: string;
  }): Promise<S3Storage> {
    const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
    return told(async () => {
      const s3 = await S3Asker.open({ bucket, prefix, endpoint });
      await s3.check();
      return new S3Storage(s3, bucket, prefix);
    });
  }

  list(prefix: string): Promise<ReadonlyMap<string, StoredFile>> {
    return told(async () => {
      const found = new Map<string, StoredFile>();
      for await (const { key, bytes, atMs } of this.#s3.objects(`${this.#prefix}${prefix}`))
        found.set(key.slice(this.#prefix.length), { bytes, atMs });
      return found;
    });
  }

  read(path: string): Promise<string | null> {
    return told(() => this.#s3.text(this.#key(path)));
  }

  write(path: string, text: string): Promise<void> {
    return this.#put(path, { Body: text });
  }

  async create(path: string, text: string): Promise<boolean> {
    if ((await this.read(path)) !== null) return false;
    const { sdk, client } = this.#s3;
    const put = { Bucket: this.#bucket, Key: this.#key(path), Body: text, IfNoneMatch: '*' };
    return told(() =>
      this.#s3.asked(async (within) => {
        try {
          await client.send(new sdk.PutObjectCommand(put), within);
          return true;
        } catch (error) {
          if (this.#s3.hasStatus(error, 412) || this.#s3.hasStatus(error, 409)) return false;
          throw error;
        }
      }),
    );
  }

  async put(path: string, from: string): Promise<void> {
    const { size } = await stat(from);
    await this.#put(path, { Body: createReadStream(from), ContentLength: size });
  }

  remove(path: string): Promise<void> {
    const { sdk, client } = this.#s3;
    const command = new sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#key(path) });
    return told(async () => {
      await this.#s3.asked((within) => client.send(command, within));
    });
  }

  async fetch(path: string, folder: string): Promise<string | null> {
    const to = this.localPath(path, folder);
    // Names of files of rows tell their content: a copy stays true.
    const had = path.endsWith('.parquet') ? await stat(to).catch(() => null) : null;
    if (had !== null) return to;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const making = partialPath(dirname(to));
    const { sdk, client } = this.#s3;
    const command = new sdk.GetObjectCommand({ Bucket: this.#bucket, Key: this.#key(path) });
    return told(async () => {
      try {
        const { Body: body } = await client.send(command);
        await pipeline(body as Readable, createWriteStream(making, { mode: 0o600 }));
        await rename(making, to);
        return to;
      } catch (error) {
        await rm(making, { force: true });
        if (this.#s3.hasStatus(error, 404)) return null;
        throw this.#s3.failure(error);
      }
    });
  }

  localPath(path: string, folder: string): string {
    return join(folder, ...path.split('/'));
  }

  async #put(
    path: string,
    body: { readonly Body: string | Readable; readonly ContentLength?: number },
  ): Promise<void> {
    const { sdk, client } = this.#s3;
    const command = new sdk.PutObjectCommand({ Bucket: this.#bucket, Key: this.#key(path), ...body });
    await told(() =>
      client.send(command).catch((error: unknown) => Promise.reject(this.#s3.failure(error) as Error)),
    );
  }

  #key(path: string): string {
    return `${this.#prefix}${path}`;
  }
}

/** What the storage says, as an error of the lake. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw error instanceof StoreError ? new LakeError(error.message) : error;
  });
}

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { TraceId } from '../../host/api.ts';
import { BegunTraces } from './begun.ts';
import type { Begun } from './begun.ts';
import { partialPath } from './durable.ts';
import { S3Asker, type S3Address } from './s3-asker.ts';
import { LostTraceError, readRecord } from './trace-store.ts';
import type { ByteRange, LocalCopy, TraceRecord, TraceStore } from './trace-store.ts';

/** Where in an object storage, and how it is reached. */
export interface S3StoreOptions extends S3Address {
  /** Where copies of objects are put while they are open. */
  readonly copiesDir: string;
  /** Where is noted what is being put into the storage, so that nothing half done stays there after a crash. */
  readonly begunDir: string;
}

const TRACE_ID = /^[0-9a-f]{64}$/;
const PART_BYTES = 16 << 20;
const PARTS_AT_ONCE = 3;
/** Records that are fetched at a time. */
const RECORDS_AT_ONCE = 16;

/**
 * Traces in a bucket of an S3-compatible object storage: `PREFIX/ID/trace` and `PREFIX/ID/record.json`. The record is
 * written last and removed first: a trace without one is not there. Region and credentials are found as the AWS SDK finds
 * them (environment, profile, role of the machine).
 */
export class S3Store implements TraceStore {
  readonly #s3: S3Asker;
  readonly #options: S3StoreOptions;
  readonly #begun: BegunTraces;
  /** Records by key, as they were when they had that tag: a list fetches only what is new. */
  readonly #records = new Map<string, { readonly tag: string; readonly record: TraceRecord | null }>();

  private constructor(s3: S3Asker, options: S3StoreOptions) {
    this.#s3 = s3;
    this.#options = options;
    this.#begun = new BegunTraces(options.begunDir);
    // Before the first part is sent it is noted what the storage will call them.
    s3.client.middlewareStack.add(
      (next, { commandName }) =>
        async (given) => {
          const result = await next(given);
          const { Key: key = '' } = given.input as { readonly Key?: string };
          const { UploadId: uploadId = null } = result.output as { readonly UploadId?: string };
          if (commandName === 'CreateMultipartUploadCommand')
            await this.#begun.note({ id: key.split('/').at(-2) ?? '', uploadId });
          return result;
        },
      { step: 'initialize' },
    );
  }

  /**
   * The store in a bucket, which must be there. What a killed process left half done is removed. Rejects with a
   * {@link StoreError} if it cannot be reached.
   */
  static async open(options: S3StoreOptions): Promise<S3Store> {
    const s3 = await S3Asker.open(options);
    await rm(options.copiesDir, { recursive: true, force: true });
    await mkdir(options.copiesDir, { recursive: true, mode: 0o700 });
    const store = new S3Store(s3, options);
    await store.check();
    for (const left of await store.#begun.left()) await store.#takeBack(left);
    return store;
  }

  async add(record: TraceRecord, path: string): Promise<void> {
    const { id, sizeBytes } = record;
    for (const left of await this.#begun.left()) if (left.id === id) await this.#takeBack(left);
    await this.#begun.note({ id, uploadId: null });
    await this.remove(id);
    await this.#putTrace(id, path, sizeBytes);
    const command = new this.#s3.sdk.PutObjectCommand({
      Bucket: this.#options.bucket,
      Key: this.#key(id, 'record.json'),
      Body: JSON.stringify(record),
      ContentType: 'application/json',
    });
    await this.#s3.asked((within) => this.#s3.client.send(command, within));
    await this.#begun.forget(id);
  }

  async get(id: TraceId): Promise<TraceRecord | null> {
    if (!TRACE_ID.test(id)) return null;
    const text = await this.#s3.text(this.#key(id, 'record.json'));
    const record = text === null ? null : readRecord(text);
    return record?.id === id ? record : null;
  }

  async list(): Promise<readonly TraceRecord[]> {
    const found = new Map<string, string>();
    for await (const { key, tag, atMs } of this.#s3.objects(this.#options.prefix))
      if (key.endsWith('/record.json')) found.set(key, `${tag} ${atMs}`);
    for (const key of this.#records.keys()) if (!found.has(key)) this.#records.delete(key);
    const fresh = [...found].filter(([key, tag]) => this.#records.get(key)?.tag !== tag);
    for (let at = 0; at < fresh.length; at += RECORDS_AT_ONCE) {
      const fetching = fresh.slice(at, at + RECORDS_AT_ONCE).map(async ([key, tag]) => {
        const record = await this.get(key.split('/').at(-2) ?? '');
        this.#records.set(key, { tag, record });
      });
      await Promise.all(fetching);
    }
    return [...this.#records.values()].flatMap(({ record }) => (record === null ? [] : [record]));
  }

  async checkOut(record: TraceRecord, signal?: AbortSignal): Promise<LocalCopy> {
    const dir = partialPath(this.#options.copiesDir);
    const release = (): Promise<void> => rm(dir, { recursive: true, force: true });
    await mkdir(dir, { mode: 0o700 });
    try {
      const body = await this.#body(record, null, signal);
      const path = join(dir, record.name);
      await pipeline(body, createWriteStream(path, { mode: 0o600 }), { ...(signal && { signal }) });
      return { path, release };
    } catch (error) {
      await release();
      throw this.#s3.failure(error);
    }
  }

  read(record: TraceRecord, range: ByteRange): Promise<Readable> {
    return this.#body(record, range);
  }

  async remove(id: TraceId): Promise<void> {
    if (!TRACE_ID.test(id)) return;
    for (const file of ['record.json', 'trace'] as const) {
      const command = new this.#s3.sdk.DeleteObjectCommand({
        Bucket: this.#options.bucket,
        Key: this.#key(id, file),
      });
      await this.#s3.asked((within) => this.#s3.client.send(command, within));
    }
  }

  check(): Promise<void> {
    return this.#s3.check();
  }

  /** The bytes of a trace, or a run of them, as they come. */
  async #body({ id, name, sizeBytes }: TraceRecord, range: ByteRange | null, signal?: AbortSignal) {
    const key = this.#key(id, 'trace');
    const lost = (what: string, cause?: unknown): LostTraceError =>
      new LostTraceError(`${name}: the object ${key} ${what} in ${this.#options.bucket}`, { cause });
    const command = new this.#s3.sdk.GetObjectCommand({
      Bucket: this.#options.bucket,
      Key: key,
      ...(range !== null && { Range: `bytes=${range.first}-${range.last}` }),
    });
    const answer = await this.#s3.client
      .send(command, { ...(signal && { abortSignal: signal }) })
      .catch((error: unknown) => {
        if (this.#s3.hasStatus(error, 404)) throw lost('is missing', error);
        if (this.#s3.hasStatus(error, 416)) throw lost('is too short', error);
        throw this.#s3.failure(error);
      });
    const body = answer.Body as Readable;
    if (range === null || answer.ContentRange === `bytes ${range.first}-${range.last}/${sizeBytes}`)
      return body;
    body.destroy();
    throw lost(`is answered as ${answer.ContentRange ?? 'a whole'}`);
  }

  /** Sends the bytes, in parts if they are many. */
  async #putTrace(id: TraceId, path: string, sizeBytes: number): Promise<void> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.#s3.client,
      params: {
        Bucket: this.#options.bucket,
        Key: this.#key(id, 'trace'),
        Body: createReadStream(path),
      },
      partSize: Math.max(PART_BYTES, Math.ceil(sizeBytes / 9_000)),
      queueSize: PARTS_AT_ONCE,
    });
    await upload.done().catch((error: unknown) => {
      throw this.#s3.failure(error);
    });
  }

  /** Removes what there is of a trace that was not finished; one that has its record was. */
  async #takeBack({ id, uploadId }: Begun): Promise<void> {
    if ((await this.get(id)) === null) {
      const parts = { Bucket: this.#options.bucket, Key: this.#key(id, 'trace') };
      if (uploadId !== null) {
        const gone = this.#s3.client.send(
          new this.#s3.sdk.AbortMultipartUploadCommand({ ...parts, UploadId: uploadId }),
        );
        // Storages do not agree on what they answer when there are no such parts any more.
        await gone.catch((error: unknown) => {
          if (!(error instanceof this.#s3.sdk.S3ServiceException)) throw this.#s3.failure(error);
        });
      }
      await this.remove(id);
    }
    await this.#begun.forget(id);
  }

  #key(id: TraceId, file: 'trace' | 'record.json'): string {
    const { prefix } = this.#options;
    return `${prefix === '' ? '' : `${prefix}/`}${id}/${file}`;
  }
}

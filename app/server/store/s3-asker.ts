import type { S3Client } from '@aws-sdk/client-s3';
import { isFull } from './durable.ts';
import { StoreError } from './trace-store.ts';

/** Where in an object storage, and how it is reached. */
export interface S3Address {
  readonly bucket: string;
  /** What the keys of all objects begin with; empty for nothing. */
  readonly prefix: string;
  /** The address of a storage that is not Amazon's. */
  readonly endpoint?: string | undefined;
  /** A storage that says nothing for so long is taken for one that is gone, in ms; 30 s unless given. */
  readonly silentMs?: number;
}

/** What a request is given: it is given up then. */
interface Within {
  readonly abortSignal: AbortSignal;
}

const SILENT_MS = 30_000;
/** What storages say that have no room, by the makers that say it. */
const FULL = new Set([
  ...[
    'EntityTooLarge',
    'QuotaExceeded',
    'QuotaExceededException',
    'InsufficientStorage',
    'InsufficientCapacity',
  ],
  ...['XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'],
]);

/**
 * Asks a bucket of an S3-compatible object storage. Region and credentials are found as the AWS SDK finds them (environment, profile,
 * role of the machine).
 */
export class S3Asker {
  readonly client: S3Client;
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly #bucket: string;
  readonly #silentMs: number;

  private constructor(
    sdk: typeof import('@aws-sdk/client-s3'),
    { bucket, endpoint, silentMs = SILENT_MS }: S3Address,
  ) {
    this.sdk = sdk;
    this.#bucket = bucket;
    this.#silentMs = silentMs;
    this.client = new sdk.S3Client({
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      // Storages other than Amazon's know no checksums in trailers; the hash of a trace is checked when it is opened.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: silentMs, socketTimeout: silentMs },
    });
  }

  /** Rejects with a {@link StoreError} where the SDK is not installed. */
  static async open(address: S3Address): Promise<S3Asker> {
    // Loaded for S3 alone: the SDK takes longer to load than all else.
    const sdk = await import('@aws-sdk/client-s3').catch(() => {
      throw new StoreError(
        'a store in S3 needs @aws-sdk/client-s3 and @aws-sdk/lib-storage: npm install both next to outrank',
      );
    });
    return new S3Asker(sdk, address);
  }

  /** Asks what is answered at once; that the storage does not is said in our words. */
  async asked<T>(ask: (within: Within) => Promise<T>): Promise<T> {
    // The SDK asks again by itself, each time with a limit of its own.
    const abortSignal = AbortSignal.timeout(this.#silentMs);
    return ask({ abortSignal }).catch((error: unknown) => {
      throw this.failure(abortSignal.aborted ? abortSignal.reason : error);
    });
  }

  /** Rejects if the bucket cannot be reached. */
  async check(): Promise<void> {
    const command = new this.sdk.HeadBucketCommand({ Bucket: this.#bucket });
    await this.asked((within) => this.client.send(command, within));
  }

  /** All objects whose keys begin with `prefix`, page by page. */
  async *objects(prefix: string) {
    let token: string | undefined;
    do {
      const command = new this.sdk.ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        ContinuationToken: token,
      });
      const page = await this.asked((within) => this.client.send(command, within));
      for (const { Key: key = '', ETag: tag = '', LastModified: at, Size: bytes = 0 } of page.Contents ?? [])
        yield { key, tag, bytes, atMs: at?.getTime() ?? 0 };
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  /** The text of an object; null if there is none. */
  async text(key: string): Promise<string | null> {
    const command = new this.sdk.GetObjectCommand({ Bucket: this.#bucket, Key: key });
    return this.asked(async (within) => {
      try {
        const { Body: body } = await this.client.send(command, within);
        return (await body?.transformToString()) ?? null;
      } catch (error) {
        if (this.hasStatus(error, 404)) return null;
        throw error;
      }
    });
  }

  /** An error of the storage in our words; what is not its stays as it is. */
  failure(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof StoreError || error.name === 'AbortError') return error;
    if (isFull(error)) return error;
    if (error instanceof this.sdk.S3ServiceException) {
      const { name, message } = error;
      if (FULL.has(name) || this.hasStatus(error, 507))
        return new StoreError(`s3://${this.#bucket}: takes no more: ${message || name}`, { cause: error });
      if (name === 'AccessDenied')
        return new StoreError(`s3://${this.#bucket}: no right to that: ${message || name}`, { cause: error });
    }
    const whys = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
    const why = error.name === 'TimeoutError' ? `it says nothing for ${this.#silentMs / 1000} s` : whys;
    return new StoreError(`s3://${this.#bucket}: cannot be reached: ${why || error.name}`, {
      cause: error,
    });
  }

  hasStatus(error: unknown, status: number): boolean {
    return error instanceof this.sdk.S3ServiceException && error.$metadata.httpStatusCode === status;
  }
}

/** Reads `s3://BUCKET/PREFIX`; null if it is none. */
export function readS3Address(text: string): Pick<S3Address, 'bucket' | 'prefix'> | null {
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(text) ?? [];
  return bucket === undefined ? null : { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') };
}

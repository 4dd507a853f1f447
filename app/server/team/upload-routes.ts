import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Audit } from './audit.ts';
import type { Library } from './library.ts';
import { traceTags } from '../store/trace-store.ts';
import type { Metrics } from './metrics.ts';
import { readBody, sendJson } from './respond.ts';
import { TeamError } from './team-error.ts';
import { hashOf, makeToken } from './tokens.ts';
import type { Caller } from './tokens.ts';
import type { TeamLake } from './team-lake.ts';
import type { Upload, Uploads } from './uploads.ts';

/** What the routes of uploads work with. */
export interface UploadContext {
  readonly library: Library;
  readonly uploads: Uploads;
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** Null where the server keeps none. */
  readonly lake: TeamLake | null;
  /** How long traces are kept if the uploader says nothing, and at most, in ms; null for ever. */
  readonly keptMs: number | null;
}

const startBody = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  sizeBytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
  keptMs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(60_000))),
  tags: v.optional(traceTags),
});

/**
 * `POST /api/uploads`: begins an upload: `{ name, sizeBytes, sha256?, keptMs?, tags? }`. 201 with where to send the bytes, and
 * with the token that will delete the trace; 200 with the trace if the server has it already.
 */
export async function startUpload(
  context: UploadContext,
  request: IncomingMessage,
  response: ServerResponse,
  you: Caller,
): Promise<void> {
  const { name, sizeBytes, sha256 = null, keptMs, tags } = readStart(await readBody(request));
  if (sha256 !== null && (await context.library.has(sha256))) {
    sendJson(response, 200, { trace: sha256, url: `/t/${sha256}` });
    return;
  }
  const deleteToken = makeToken();
  const most = context.keptMs ?? Infinity;
  const kept = Math.min(keptMs ?? most, most);
  const upload = await context.uploads.start(context.library, {
    name,
    by: you.name,
    sizeBytes,
    id: sha256,
    keptMs: kept === Infinity ? null : kept,
    deleteTokenHash: hashOf(deleteToken),
    ...(tags && { tags }),
  });
  audit(context, you, upload, 'upload_started');
  const url = `/api/uploads/${upload.key}`;
  sendJson(response, 201, { url, offsetBytes: 0, deleteToken }, { location: url, 'upload-offset': '0' });
}

/** `HEAD /api/uploads/KEY`: `upload-offset`, the bytes that are safe, and `upload-length`. */
export async function uploadOffset(
  { uploads }: UploadContext,
  response: ServerResponse,
  key: string,
  { name }: Caller,
): Promise<void> {
  const upload = uploads.find(key, name);
  response.writeHead(200, {
    'upload-offset': String(await uploads.offset(upload)),
    'upload-length': String(upload.sizeBytes),
    'cache-control': 'no-store',
  });
  response.end();
}

/**
 * `PATCH /api/uploads/KEY` with `upload-offset` and bytes: 204 with the offset afterwards, which outlasts any crash; with
 * the last byte 200 and the trace, once it is checked and kept.
 */
export async function continueUpload(
  context: UploadContext,
  request: IncomingMessage,
  response: ServerResponse,
  key: string,
  you: Caller,
): Promise<void> {
  const { library, uploads, metrics, lake } = context;
  const upload = uploads.find(key, you.name);
  const offset = Number(request.headers['upload-offset'] ?? NaN);
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new TeamError(400, 'the header upload-offset is missing: expected a number of bytes');
  const at = await uploads.append(upload, offset, request);
  metrics.count('outrank_upload_bytes_total', at - offset);
  if (at < upload.sizeBytes) {
    response.writeHead(204, { 'upload-offset': String(at) });
    response.end();
    return;
  }
  const { id, sizeBytes } = await uploads.finish(library, upload);
  metrics.count('outrank_uploads_finished_total');
  lake?.follow(id);
  audit(context, you, { ...upload, id, sizeBytes }, 'upload_finished');
  sendJson(response, 200, { trace: id, url: `/t/${id}` }, { 'upload-offset': String(at) });
}

/** `DELETE /api/uploads/KEY`: gives it up. */
export async function cancelUpload(
  context: UploadContext,
  response: ServerResponse,
  key: string,
  you: Caller,
): Promise<void> {
  const upload = context.uploads.find(key, you.name);
  await context.uploads.cancel(key);
  audit(context, you, upload, 'upload_cancelled');
  response.writeHead(204);
  response.end();
}

function audit(
  { audit }: UploadContext,
  { address: from }: Caller,
  { by, id: trace, name, sizeBytes }: Upload,
  action: 'upload_started' | 'upload_finished' | 'upload_cancelled',
): void {
  audit.write({ action, by, from, trace, name, sizeBytes });
}

function readStart(text: string): v.InferOutput<typeof startBody> {
  try {
    return v.parse(startBody, JSON.parse(text));
  } catch {
    throw new TeamError(400, 'expected { "name", "sizeBytes", "sha256"?, "keptMs"?, "tags"? }');
  }
}

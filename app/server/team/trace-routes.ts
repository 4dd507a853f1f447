import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, TraceRecord } from '../store/trace-store.ts';
import type { Audit } from './audit.ts';
import { readByteRange } from './byte-range.ts';
import { deletes } from './library.ts';
import type { Library } from './library.ts';
import type { OpenTraces } from './open-traces.ts';
import { sendJson } from './respond.ts';
import { TeamError } from './team-error.ts';
import type { TeamLake } from './team-lake.ts';
import { mayAct } from './tokens.ts';
import type { Caller, Identity } from './tokens.ts';

/** What the routes of stored traces work with. */
export interface TraceContext {
  readonly library: Library;
  readonly openTraces: OpenTraces;
  readonly audit: Audit;
  /** Null where the server keeps none. */
  readonly lake: TeamLake | null;
}

const MOST_LISTED = 200;
const LONGEST_SEARCH = 200;

/** `GET /api/traces?search=WORDS&skip=N&most=N`: `{ traces, count, you, lake }`, newest first. `lake`: whether they can be asked as one. */
export async function listTraces(
  { library, lake }: TraceContext,
  response: ServerResponse,
  { searchParams }: URL,
  you: Identity,
): Promise<void> {
  const search = (searchParams.get('search') ?? '').slice(0, LONGEST_SEARCH);
  const skip = readCount(searchParams.get('skip'), 0);
  const most = Math.min(MOST_LISTED, readCount(searchParams.get('most'), 50));
  const { traces, count } = await library.list({ search, skip, most });
  sendJson(response, 200, {
    traces: traces.map((trace) => shown(trace, you)),
    count,
    you: { name: you.name, role: you.role },
    lake: lake !== null,
  });
}

/** `GET /api/traces/ID`: what is known of it. */
export async function describeTrace(
  { library }: TraceContext,
  response: ServerResponse,
  id: string,
  you: Identity,
): Promise<void> {
  sendJson(response, 200, shown(await find(library, id), you));
}

/**
 * `GET /api/traces/ID/file`: its bytes, as they were uploaded: they are checked before the first is sent. 206 with a part of
 * them, unchecked, where the header `range` asks for one, so that a download that broke off goes on; 416 if it lies behind
 * the end.
 */
export async function downloadTrace(
  { library, audit }: TraceContext,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  { name: by, address: from }: Caller,
): Promise<void> {
  const record = await find(library, id);
  const { name, sizeBytes } = record;
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': sizeBytes,
    'accept-ranges': 'bytes',
    etag: tagOf(record),
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'cache-control': 'no-store',
  };
  const sent = (): void => audit.write({ action: 'downloaded', by, from, trace: id });
  if (request.method === 'HEAD') {
    response.writeHead(200, headers).end();
    return;
  }
  const range = wantedRange(request, record);
  if (range === 'beyond')
    throw new TeamError(416, `${name} has ${sizeBytes} bytes`, { 'content-range': `bytes */${sizeBytes}` });
  if (range !== null) {
    const { first, last } = range;
    const bytes = await library.read(record, range);
    response.writeHead(206, {
      ...headers,
      'content-length': last - first + 1,
      'content-range': `bytes ${first}-${last}/${sizeBytes}`,
    });
    sent();
    return pipeline(bytes, response);
  }
  const copy = await library.checkOut(record);
  try {
    response.writeHead(200, headers);
    sent();
    await pipeline(createReadStream(copy.path), response);
  } finally {
    await copy.release();
  }
}

/** The bytes never change under one id. */
const tagOf = ({ id }: TraceRecord): string => `"${id}"`;

/** The range that a request asks for; null for all. It counts only if it is of this file. */
function wantedRange({ headers }: IncomingMessage, record: TraceRecord): ByteRange | 'beyond' | null {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== tagOf(record)) return null;
  return readByteRange(headers.range, record.sizeBytes);
}

/**
 * `DELETE /api/traces/ID`: by whoever uploaded it, by an admin, or with the token that the uploader was given in the
 * header `delete-token`.
 */
export async function deleteTrace(
  { library, openTraces, audit, lake }: TraceContext,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  you: Caller,
): Promise<void> {
  const record = await find(library, id);
  const token = request.headers['delete-token'];
  if (!mayDelete(record, you) && !(typeof token === 'string' && deletes(record, token)))
    throw new TeamError(
      403,
      `${record.name} is deleted by ${record.by}, by an admin, or with its delete token`,
    );
  await library.remove(id);
  lake?.follow(id);
  openTraces.drop(id);
  audit.write({ action: 'deleted', by: you.name, from: you.address, trace: id });
  response.writeHead(204);
  response.end();
}

/** The stored trace of an id. Rejects with a `TeamError` if there is none. */
export async function find(library: Library, id: string): Promise<TraceRecord> {
  const record = await library.get(id);
  if (record === null)
    throw new TeamError(
      404,
      `this server has no trace ${id}: it was never uploaded, was deleted, or has expired`,
    );
  return record;
}

const mayDelete = ({ by }: TraceRecord, { name, role }: Identity): boolean =>
  role === 'admin' || (by === name && mayAct(role, 'upload'));

function shown(record: TraceRecord, you: Identity) {
  const { id, name, sizeBytes, by, uploadedAtMs, expiresAtMs } = record;
  const url = `/t/${id}`;
  return { id, name, sizeBytes, by, uploadedAtMs, expiresAtMs, url, deletable: mayDelete(record, you) };
}

function readCount(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

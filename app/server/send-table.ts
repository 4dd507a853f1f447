import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import { messageOf } from '../../shared/model/index.ts';
import { TABLE_NAMES } from '../../shared/tables/index.ts';
import type { Host } from '../host/api.ts';

const whole = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

const listed = v.pipe(
  v.string(),
  v.transform((text) => text.split(',')),
);
const times = v.pipe(listed, v.array(v.pipe(v.string(), v.transform(Number), v.number(), v.finite())));

const asked = v.object({
  id: v.string(),
  table: v.picklist(TABLE_NAMES),
  batch: whole,
  columns: v.pipe(listed, v.array(whole)),
  start: v.optional(times),
  end: v.optional(times),
});
const request = v.pipe(
  asked,
  v.check(({ start, end }) => start?.length === end?.length, 'as many ends as starts'),
);

/**
 * Answers `GET table?id=ID&table=NAME&batch=N&columns=N,N…` with what `Host.readTable` gives; with `&start=NS,NS…&end=NS,NS…` within these times. A
 * browser takes megabytes in a fraction of the time that a WebSocket needs.
 */
export async function sendTable(
  host: Pick<Host, 'readTable'>,
  wanted: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const read = v.safeParse(request, Object.fromEntries(wanted));
  if (!read.success) {
    response
      .writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      .end('this is no batch of a table\n');
    return;
  }
  const { id, table, batch, columns, start, end = [] } = read.output;
  const within = start?.map((ns, at) => ({ start: ns, end: end[at] ?? ns }));
  try {
    const bytes = await host.readTable(id, table, batch, columns, within);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      'cache-control': 'no-store',
    });
    response.end(bytes);
  } catch (error) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`${messageOf(error)}\n`);
  }
}

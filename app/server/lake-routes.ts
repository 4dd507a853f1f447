import type { ServerResponse } from 'node:http';
import * as v from 'valibot';
import { lakeAsk, LakeRefusal, type LakeDesk } from '../../shared/lake/index.ts';

/**
 * `GET /api/lake`: what is in the lake, and `traceAddress`, where a trace is shown, with `{id}` for its id. `POST /api/lake/ask`: what the
 * lake answers to the question of a body. 400 with words where it refuses.
 */
export async function answerLake(
  desk: LakeDesk,
  body: string | null,
  traceAddress: string,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer =
      body === null
        ? { ...(await desk.about()), trace_address: traceAddress }
        : await desk.ask(readAsk(body));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end(
      JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
    );
  } catch (error) {
    if (!(error instanceof LakeRefusal)) throw error;
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(`${error.message}\n`);
  }
}

function readAsk(body: string) {
  try {
    return v.parse(lakeAsk, JSON.parse(body));
  } catch {
    throw new LakeRefusal(
      'expected { "question", "params": {…}, "filter": { "machine"?, "model"?, "os_build"?, "from"?, "to"?, "tags"? } }',
    );
  }
}

import { isReadableOnTheWay } from '../../../shared/link/index.ts';
import { OpenError } from '../api.ts';
import type { TeamServer } from './server-schema.ts';
import { fetch, type Answer, type Question } from './fetch.ts';
import { messageOf } from '../../../shared/model/index.ts';

/** The address of a server. Rejects if what it is sent could be read on the way, and the user has not agreed to that. */
export function addressOf({ origin, unencrypted }: TeamServer): URL {
  const url = new URL(origin);
  if (unencrypted === true || !isReadableOnTheWay(url)) return url;
  throw new OpenError(
    'server',
    `${origin}: is not encrypted: everybody on the way could read the trace and the token`,
  );
}

/** Asks a server; what it refuses, and that it does not answer, are errors that name it. */
export async function askServer(server: TeamServer, path: string, question: Question): Promise<Answer> {
  const url = new URL(path, addressOf(server));
  const headers = {
    ...question.headers,
    ...(server.token !== null && { authorization: `Bearer ${server.token}` }),
  };
  const answer = await fetch(url, { ...question, headers }).catch((error: unknown) => {
    question.signal?.throwIfAborted();
    throw new OpenError('server', `${url.host}: does not answer: ${messageOf(error)}`);
  });
  if (answer.ok) return answer;
  throw await refusal(url.host, server, answer);
}

async function refusal(host: string, { token }: TeamServer, answer: Answer): Promise<OpenError> {
  const said = (await answer.text().catch(() => '')).trim().slice(0, 500);
  if (answer.status === 401)
    return new OpenError(
      'token',
      `${host}: ${token === null ? 'wants a token' : 'does not know this token'}`,
    );
  if (answer.status >= 300 && answer.status < 400)
    return new OpenError('server', `${host}: sends elsewhere, which is not followed`);
  const isText = answer.header('content-type')?.startsWith('text/plain') === true && said !== '';
  return new OpenError('server', `${host}: ${isText ? said : `refuses with status ${answer.status}`}`);
}

import type { LakeAnswer, LakeAsk, ServedLake } from '../../../shared/lake/index.ts';

/** The server wants a token first. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** What is in the lake. */
export async function askAbout(): Promise<ServedLake> {
  return (await ask('/api/lake')).json() as Promise<ServedLake>;
}

/** What the lake answers; rejects with its own words if it refuses. */
export async function askLake(asked: LakeAsk, signal: AbortSignal): Promise<LakeAnswer> {
  const answer = await ask('/api/lake/ask', { method: 'POST', body: JSON.stringify(asked), signal });
  return answer.json() as Promise<LakeAnswer>;
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, init).catch((error: unknown) => {
    init.signal?.throwIfAborted();
    throw new Error('The server does not answer. Is it still running?', { cause: error });
  });
  if (answer.ok) return answer;
  if (answer.status === 401) throw new SignInError('sign in first');
  const text = (await answer.text()).trim();
  throw new Error(text === '' ? `The server refused (${answer.status}).` : text);
}

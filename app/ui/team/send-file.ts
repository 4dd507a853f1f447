import * as v from 'valibot';
import { ask } from './server.ts';

/** Each request confirms so much: what a broken connection makes the page send again is less. */
const CHUNK_BYTES = 16 << 20;
const MOST_ATTEMPTS = 8;

const started = v.object({ url: v.string() });
const finished = v.object({ url: v.string() });

/**
 * Uploads a file, and goes on where it was when the connection breaks down; the address that shows the trace. `onProgress`
 * is told the part that the server has, 0 to 1.
 */
export async function sendFile(file: File, onProgress: (fraction: number) => void): Promise<string> {
  const body = JSON.stringify({ name: file.name, sizeBytes: file.size });
  const begun = await ask('/api/uploads', { method: 'POST', body });
  const { url } = v.parse(started, await begun.json());
  let at = 0;
  for (let attempt = 1; ;) {
    const answer = await send(url, file, at);
    if (answer === null) {
      if (attempt++ >= MOST_ATTEMPTS) throw new Error('The connection to the server was lost.');
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
      at = (await offset(url)) ?? at;
      continue;
    }
    attempt = 1;
    if (answer.status === 200) return v.parse(finished, await answer.json()).url;
    if (answer.status !== 204) throw new Error((await answer.text()).trim());
    at = Number(answer.headers.get('upload-offset'));
    onProgress(at / file.size);
  }
}

/** Sends the next part; null if it did not arrive. */
async function send(url: string, file: File, at: number): Promise<Response | null> {
  const headers = { 'upload-offset': String(at) };
  const body = file.slice(at, at + CHUNK_BYTES);
  const answer = await fetch(url, { method: 'PATCH', headers, body }).catch(() => null);
  return answer?.status === 409 ? null : answer;
}

async function offset(url: string): Promise<number | null> {
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => null);
  if (answer?.status === 404) throw new Error('The server has given this upload up.');
  return answer?.ok === true ? Number(answer.headers.get('upload-offset')) : null;
}

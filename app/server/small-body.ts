import type { IncomingMessage } from 'node:http';

/** The most that a body has which is read at once. */
export const SMALL_BODY_BYTES = 16 << 10;
const SMALL_BODY_MS = 10_000;

/** Reads the short body of a request; null if it is longer than {@link SMALL_BODY_BYTES}. Ends the connection of one that is slow. */
export async function readSmallBody(request: IncomingMessage): Promise<string | null> {
  const timer = setTimeout(() => request.destroy(), SMALL_BODY_MS);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    // The answer is still to be sent on the same connection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > SMALL_BODY_BYTES) return null;
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

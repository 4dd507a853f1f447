import { once } from 'node:events';
import { createServer } from 'node:net';

/** The ports from which systems choose for clients begin above these. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port of 127.0.0.1 on which no server listens, and which no system gives to a client. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    const free = once(server.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!(await free)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on an address; port 0 takes any free one. Gives the port and the origin. Rejects if the address cannot be had. */
export async function listen(
  server: Server,
  hostName: string,
  wantedPort: number,
): Promise<{ readonly port: number; readonly origin: string }> {
  await new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(wantedPort, hostName, listening);
  });
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://${hostName.includes(':') ? `[${hostName}]` : hostName}:${port}` };
}

import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Host } from '../host/api.ts';
import { resolved, type Allowed } from './allowed.ts';
import { CheckedLines } from './checked-lines.ts';
import { Lakes } from './lakes.ts';
import { makeServer } from './server.ts';
import { Traces } from './traces.ts';

/** Serves the client at stdin and stdout until it goes, or the process is interrupted. */
export async function serveStdio(host: Host, allowed: Allowed, version: string): Promise<void> {
  const lines = process.stdin.pipe(new CheckedLines((error) => process.stdout.write(error)));
  const may = resolved(allowed);
  const server = makeServer(new Traces(host, may), new Lakes(may), version);
  await server.connect(new StdioServerTransport(lines, process.stdout));
  await Promise.race([once(lines, 'end'), once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await server.close();
  process.stdin.destroy();
}

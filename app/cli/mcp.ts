import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { UsageError } from './command.ts';
import { isFolder } from './query-tables.ts';
import { existing } from './serve.ts';
import { ownVersion, startHost } from './session.ts';

/** `outrank mcp`: a server for assistants. */
export const mcp: Command = {
  name: 'mcp',
  usage: '[TRACE…] [--lake LAKE]… [--allow FOLDER]…',
  summary:
    'answer an assistant (Model Context Protocol, over stdin and stdout) of these traces and lakes alone',
  details: [
    '--lake LAKE      let the assistant ask this lake, too: a folder, or s3://BUCKET/PREFIX, to which a connection is opened',
    '--allow FOLDER   let the assistant open the traces and lakes in this folder, too',
    'No tool writes a file, or opens another connection. Converted traces are kept in the cache, as by every command.',
    'docs/agents.md says how to set up a client, and what each tool answers.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        lake: { type: 'string', multiple: true, default: [] },
        allow: { type: 'string', multiple: true, default: [] },
      },
    });
    const traces = await Promise.all(positionals.map(existing));
    for (const folder of values.allow)
      if (!(await isFolder(folder))) throw new UsageError(`--allow takes a folder, not "${folder}"`);
    for (const lake of values.lake)
      if (!lake.startsWith('s3://') && !(await isFolder(lake)))
        throw new UsageError(`--lake takes a folder, or s3://BUCKET/PREFIX, not "${lake}"`);
    // The protocol's code takes a while to start: no other command waits for it.
    const { serveStdio } = await import('../mcp/serve-stdio.ts');
    const host = startHost();
    try {
      await serveStdio(host, { traces, folders: values.allow, lakes: values.lake }, ownVersion());
      return 0;
    } finally {
      await host.end();
    }
  },
};

import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { storeTrace } from '../fleet/lake/add.ts';
import { Lake, startDuckDB } from '../fleet/index.ts';
import { sampleTrace, type Sample } from '../fleet/testing/rows.ts';
import { atEnd, OUTRANK, places } from '../host/testing/real.ts';
import type { Written } from './write.ts';

/** What the environment says to a server whose cache and settings are in a folder. */
export function environmentIn(folder: string): Record<string, string> {
  const { PATH = '' } = process.env;
  return {
    PATH,
    OUTRANK_CACHE: join(folder, 'cache'),
    OUTRANK_CONVERTER: places.converter,
    XDG_CONFIG_HOME: folder,
  };
}

/** A client of `outrank mcp` with these arguments; it ends after the tests of this file. */
export async function connect(folder: string, ...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = {
    command: process.execPath,
    args: [...OUTRANK, 'mcp', ...args],
    cwd: folder,
    env: environmentIn(folder),
  };
  await client.connect(new StdioClientTransport(transport));
  atEnd(() => client.close());
  return client;
}

/** What a tool answered, as text. */
export async function textOf(
  client: Client,
  tool: string,
  given: Record<string, unknown>,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const result = CallToolResultSchema.parse(await client.callTool({ name: tool, arguments: given }));
  const [content] = result.content;
  if (content?.type !== 'text') throw new Error('no text');
  return { text: content.text, isError: result.isError === true };
}

/** What a tool answered. */
export async function ask(
  client: Client,
  tool: string,
  given: Record<string, unknown> = {},
): Promise<Written> {
  const { text, isError } = await textOf(client, tool, given);
  if (isError) throw new Error(text);
  return JSON.parse(text) as Written;
}

/** The rows of an answer's table as objects. */
export function rowsOf({ tables }: Written, title: string): Record<string, unknown>[] {
  const { columns = [], rows = [] } = tables.find((each) => each.title === title) ?? {};
  return rows.map((row) =>
    Object.fromEntries(row.map((cell, at): [string, unknown] => [columns[at] ?? '', cell])),
  );
}

/** Writes a lake of sample traces, in which everything is called by a name. */
export async function writeLake(place: string, samples: readonly Sample[], name = 'app.exe'): Promise<void> {
  const lake = await Lake.open(place, { create: true });
  const duckdb = await startDuckDB({ memoryBytes: 256 << 20, threads: 1 });
  for (const sample of samples) {
    const trace = sampleTrace(sample);
    const called = { ...trace, rows: renamed(trace.rows, name), name: `${name} ${trace.name}` };
    await storeTrace({ lake, duckdb, outrankVersion: '0.1.0' }, called, await lake.list());
  }
  await duckdb.end();
}

/** The same with another name for the process, in every text. */
function renamed<T>(rows: T, name: string): T {
  return JSON.parse(
    JSON.stringify(rows, (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('app.exe', name) : value,
    ),
  ) as T;
}

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { linkedTrace, makeLink, NO_LINK } from '../../shared/link/index.ts';
import { messageOf } from '../../shared/model/index.ts';
import { bounded, SIZE_BYTES } from './bound.ts';
import { MARK_NOTE, markedSentence } from './mark.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import type { Lakes } from './lakes.ts';
import type { AnyTool, Sources, Told } from './tool.ts';
import { tools } from './tools/index.ts';
import type { Traces } from './traces.ts';
import { VERSION, write } from './write.ts';

const INSTRUCTIONS = [
  'Outrank reads Windows performance traces (.etl). Call open first; it gives handles (w-1, f-1, t-4) that other tools take.',
  'Times are ns on the trace clock unless a unit is given. Each answer says what it does not conclude and what was not recorded.',
  MARK_NOTE,
].join(' ');

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** What every tool takes, as it was checked. */
interface Common {
  readonly max_bytes: number;
}

/** A server of the Model Context Protocol that answers of these traces and lakes. It writes no file but those of the cache. */
export function makeServer(traces: Traces, lakes: Lakes, version: string): McpServer {
  const server = new McpServer(
    { name: 'outrank', title: 'Outrank', version },
    { instructions: INSTRUCTIONS, maxToolInputElements: 10_000 },
  );
  for (const tool of tools) addTool(server, traces, lakes, tool);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTool(server: McpServer, traces: Traces, lakes: Lakes, tool: AnyTool): void {
  const { name, title, description, takes } = tool;
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  // A misspelt argument is refused: else the answer would be to another question.
  const inputSchema = z.strictObject(takes);
  server.registerTool(name, { title, description, inputSchema, annotations }, async (given, extra) => {
    const { max_bytes } = given as unknown as Common;
    const { signal } = extra;
    const tell = progressOf(extra);
    try {
      const text = await traces.ask(
        { signal, onProgress: ({ stage, fraction }) => tell(stage, fraction) },
        async (trace) => {
          const sources: Sources = {
            trace,
            names: traces.names,
            lake: (name, use) => lakes.ask(name, signal, use),
          };
          const told = await tool.answer(sources, given as never, (message) => tell(message, null));
          return bounded(write(name, told.of, told, await linkOf(told)), max_bytes, told.top);
        },
      );
      return { content: [{ type: 'text', text }] };
    } catch (error) {
      return failure(name, error);
    }
  });
}

/** The link that opens the place of an answer for a human; null where there is none. */
async function linkOf({ opened, place, title = '' }: Told): Promise<string | null> {
  if (place === undefined || opened === undefined) return null;
  const link = await makeLink({
    ...NO_LINK,
    title,
    trace: linkedTrace(opened),
    place: { ...NO_LINK.place, ...place },
  }).catch(() => null);
  // A longer one, as of long SQL, would crowd out the answer.
  return link !== null && link.length <= SIZE_BYTES.usual / 2 ? link : null;
}

/** An error as an answer: its text may name things of the trace. */
function failure(tool: string, error: unknown): CallToolResult {
  const text = JSON.stringify({
    version: VERSION,
    tool,
    note: MARK_NOTE,
    error: markedSentence(messageOf(error)),
  });
  return { isError: true, content: [{ type: 'text', text }] };
}

/** Tells a client that asked for it how far a call is. */
function progressOf({ _meta, sendNotification }: Extra): (message: string, fraction: number | null) => void {
  const token = _meta?.progressToken;
  if (token === undefined) return () => undefined;
  let steps = 0;
  let last = '';
  return (message, fraction) => {
    const told = fraction === null ? message : `${message} ${Math.floor(fraction * 100)} %`;
    if (told === last) return;
    last = told;
    steps += 1;
    const params = { progressToken: token, progress: steps, message: told };
    void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

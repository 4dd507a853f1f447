import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import glossary from '../../docs/glossary.md';
import { capital, recordedBy, SIGNALS, wprProfile, xperfCommands } from '../../shared/recording/index.ts';
import { QuestionError } from '../questions/question-error.ts';
import { lakeSchema } from './lake-schema.ts';
import { schemaItems, schemaList, schemaOf } from './schema.ts';

const MARKDOWN = { mimeType: 'text/markdown' } as const;

/** What agents may read: tables and columns, words, and how to record. */
export function addResources(server: McpServer): void {
  const add = (name: string, title: string, description: string, text: () => string): void => {
    const uri = `outrank://${name}`;
    server.registerResource(name, uri, { title, description, ...MARKDOWN }, () => ({
      contents: [{ uri, ...MARKDOWN, text: text() }],
    }));
  };
  add('schema', 'Tables', 'The tables that the tool sql asks, a line each', schemaList);
  add('lake-schema', 'Tables of a lake', 'The questions and tables that the tool lake asks', lakeSchema);
  add('glossary', 'Words', 'The words of the scheduler and of Outrank', () => glossary);
  add(
    'recording',
    'How to record',
    'What a trace can tell, what records it, and commands that record everything',
    recording,
  );
  const template = new ResourceTemplate('outrank://schema/{table}', {
    list: undefined,
    complete: {
      table: (begun) => [...schemaItems().keys()].filter((name) => name.startsWith(begun)).slice(0, 100),
    },
  });
  const about = { title: 'Columns of a table', description: 'Meaning and unit of each column', ...MARKDOWN };
  server.registerResource('table', template, about, (uri, { table }) => {
    const text = typeof table === 'string' ? schemaOf(table) : null;
    if (text === null) throw new QuestionError('there is no such table: outrank://schema lists them');
    return { contents: [{ uri: uri.href, ...MARKDOWN, text }] };
  });
}

function recording(): string {
  const lines = SIGNALS.map((signal) => `- ${capital(signal.name)} (${signal.tells}): ${recordedBy(signal)}`);
  const fence = '```';
  return [
    '# How to record',
    'Everything with xperf, as an administrator:',
    `${fence}bat\n${xperfCommands().join('\n')}\n${fence}`,
    'Everything with WPR: `wpr -start outrank.wprp!Outrank -filemode`, later `wpr -stop trace.etl`, with this profile:',
    `${fence}xml\n${wprProfile()}\n${fence}`,
    'What records what:',
    `${lines.join('\n')}\n`,
  ].join('\n\n');
}

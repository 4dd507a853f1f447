import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { formatBytes } from '../../shared/model/index.ts';
import { uploadTrace } from '../host/remote/upload.ts';
import { only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { existing } from './serve.ts';
import { print, progressLine, say } from './terminal.ts';

const DAY_MS = 24 * 3_600_000;

/** `outrank upload`: gives a trace to a team server. */
export const upload: Command = {
  name: 'upload',
  usage: 'TRACE --to URL [--token-file FILE] [--keep-days N]',
  summary: 'upload a trace to a team server (outrank serve --store) and print the link to it',
  details: [
    '--to URL            the server; all who have a token of it can then see and download the trace',
    '--token-file FILE   your token for it; by default the variable OUTRANK_TOKEN',
    '--keep-days N       how long it is kept, if that is shorter than what the server allows',
    'An upload that breaks off goes on by itself where it was. Files of one recording are uploaded as one .zip.',
    'stdout: the link. stderr: the token that deletes the trace again.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        'token-file': { type: 'string' },
        'keep-days': { type: 'string' },
      },
    });
    const path = await existing(only(positionals, 'TRACE'));
    const to = readServer(values.to);
    const token = await readToken(values['token-file']);
    say(`uploading ${formatBytes((await stat(path)).size)} to ${to.host}`);
    const line = progressLine();
    const { url, deleteToken } = await uploadTrace({
      path,
      to,
      token,
      keptMs: readDays(values['keep-days']),
      onProgress: (stage, fraction) => line.show({ stage, fraction }),
    }).finally(line.clear);
    if (deleteToken === null) say(`${to.host} has this trace already`);
    else
      say(
        `to delete it: curl -X DELETE -H "Authorization: Bearer $OUTRANK_TOKEN" -H "Delete-Token: ${deleteToken}" ${url.replace('/t/', '/api/traces/')}`,
      );
    await print([`${url}\n`]);
    return 0;
  },
};

function readServer(text: string | undefined): URL {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError('--to takes the address of a server, such as https://traces.example');
  return url;
}

async function readToken(path: string | undefined): Promise<string> {
  const token = path === undefined ? process.env.OUTRANK_TOKEN : await readFile(path, 'utf8');
  if (token === undefined || token.trim() === '')
    throw new UsageError(
      'a token is missing: set OUTRANK_TOKEN, or name a file that holds it with --token-file',
    );
  return token.trim();
}

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text) * DAY_MS;
  throw new UsageError(`--keep-days takes a number of days, not "${text}"`);
}

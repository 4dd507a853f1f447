import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatBytes } from '../../shared/model/index.ts';
import { sendRecording } from '../host/give-away.ts';
import { cacheDir } from '../host/locate.ts';
import { only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { readToken, requireEncryption, SERVER_DETAILS, SERVER_OPTIONS } from './fetch.ts';
import {
  agrees,
  assertRecordings,
  canAsk,
  GIFT_DETAILS,
  GIFT_OPTIONS,
  GIFT_USAGE,
  readGift,
} from './gift.ts';
import { readTags } from './lake-add.ts';
import { existing } from './serve.ts';
import { places } from './session.ts';
import { shellWord } from './shell-word.ts';
import { print, progressLine, say } from './terminal.ts';

const DAY_MS = 24 * 3_600_000;

/** `outrank upload`: gives a trace to a team server. */
export const upload: Command = {
  name: 'upload',
  usage: `TRACE --to URL [--keep-days N] [--tag NAME=VALUE]… [--token-file FILE] [--unencrypted] ${GIFT_USAGE}`,
  summary:
    'show what is inside a trace, ask, upload it to a team server (outrank serve --store), and print the link to it',
  details: [
    '--to URL             the server; all who have a token of it can then see and download the trace',
    '--keep-days N        how long it is kept, if that is shorter than what the server allows',
    '--tag NAME=VALUE     what is known of the trace, such as build=1234: the lake of the server has it',
    ...SERVER_DETAILS,
    ...GIFT_DETAILS,
    'An upload that breaks off goes on by itself where it was. Files of one recording are uploaded as one .zip.',
    'stdout: the link. stderr: what is inside, and the token that deletes the trace again.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        to: { type: 'string' },
        'keep-days': { type: 'string' },
        tag: { type: 'string', multiple: true, default: [] as string[] },
        ...SERVER_OPTIONS,
        ...GIFT_OPTIONS,
      },
    });
    const path = await existing(only(positionals, 'TRACE'));
    const { origin, host } = readServer(values.to);
    requireEncryption(origin, values);
    const token = await readToken(values['token-file']);
    const keptMs = readDays(values['keep-days']);
    const tags = values.tag.length === 0 ? undefined : Object.fromEntries(readTags(values.tag));
    const gift = readGift(values);
    const { size } = await stat(path);
    if (!values.yes && !canAsk())
      throw new UsageError(
        `there is no terminal for the question: see what is inside with outrank export ${shellWord(basename(path))} --dry-run, then add --yes`,
      );
    if (values.yes && gift === null) await assertRecordings([path]);
    const isWanted = values.yes || (await agrees([path], size, gift, `Upload it to ${host}?`));
    if (!isWanted) {
      say('nothing was sent');
      return 1;
    }
    say(`uploading ${gift === null ? formatBytes(size) : 'an export'} to ${host}`);
    const line = progressLine();
    const { url, deleteToken } = await sendRecording(
      {
        converter: places.converter,
        dir: join(cacheDir(), 'outgoing'),
        files: [path],
        gift,
        options: { onProgress: line.show },
      },
      { origin, token, unencrypted: values.unencrypted },
      { keptMs, tags },
    ).finally(line.clear);
    if (deleteToken === null) say(`${host} has this trace already`);
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

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text) * DAY_MS;
  throw new UsageError(`--keep-days takes a number of days, not "${text}"`);
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { hasEvents, notRecorded, SIGNALS, type EventCount } from '../../shared/recording/index.ts';
import { partArguments } from '../host/part.ts';
import { choice, type Command } from './command.ts';
import { recordingFiles, tellEnd } from './converter.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';

/** The part of the converter's answer about a trace that is used here. */
const INFO = v.object({
  kinds: v.array(v.object({ provider: v.string(), event: v.string(), fate: v.string(), count: v.number() })),
});

/** `outrank info`: what is in an .etl, and what is not. */
export const info: Command = {
  name: 'info',
  usage: `TRACE… [--format text|json] ${OPEN_USAGE}`,
  summary:
    'header, session, clock, loss, the events by provider and id with their counts, and what was not recorded, of any .etl',
  details: [
    '--format F           text (default), json (docs/formats.md); --json is the same',
    ...OPEN_DETAILS,
  ],
  run: async (args) => {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...PART_OPTIONS,
        format: { type: 'string', default: 'text' },
        json: { type: 'boolean', default: false },
      },
    });
    const asJson = choice('format', values.format, ['text', 'json']) === 'json' || values.json;
    const inputs = await recordingFiles(positionals, values.with);
    const folder = await mkdtemp(join(tmpdir(), 'outrank-info-'));
    const file = join(folder, 'info.json');
    try {
      const wish = ['info', ...partArguments(readPart(values)), `--json-to=${file}`];
      const code = await tellEnd(wish, inputs, { stdout: asJson ? 'ignore' : 'inherit' });
      const json = await readFile(file, 'utf8').catch(() => null);
      if (json === null) return code;
      const { kinds } = v.parse(INFO, JSON.parse(json));
      process.stdout.write(asJson ? withRecording(json, kinds) : notRecordedText(kinds));
      return code;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/**
 * The converter's JSON with what of all that a trace can tell is recorded: null where events alone do not say. Its text is kept, since
 * its times are beyond what a number of JavaScript holds exactly.
 */
function withRecording(json: string, kinds: readonly EventCount[]): string {
  const recording = SIGNALS.map((signal) => ({ id: signal.id, recorded: hasEvents(signal, kinds) }));
  const lines = recording.map((each) => `    ${JSON.stringify(each)}`).join(',\n');
  return `${json.trimEnd().replace(/^\{/, '{\n  "version": 1,').replace(/\n\}$/, '')},\n  "recording": [\n${lines}\n  ]\n}\n`;
}

function notRecordedText(kinds: readonly EventCount[]): string {
  const missing = notRecorded(kinds);
  if (missing.length === 0) return '';
  const lines = missing.map(({ what, record }) => `  ${what}\n      recorded by ${record}\n`);
  return `Not recorded\n${lines.join('')}`;
}

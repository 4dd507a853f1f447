import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { hasEvents, notRecorded, SIGNALS, type EventCount } from '../../shared/recording/index.ts';
import { choice, type Command } from './command.ts';
import { needsTrace, runConverter } from './converter.ts';

/** The part of the converter's answer about a trace that is used here. */
const INFO = v.object({
  kinds: v.array(v.object({ provider: v.string(), event: v.string(), fate: v.string(), count: v.number() })),
});

/** `outrank info`: what is in an .etl, and what is not. */
export const info: Command = {
  name: 'info',
  usage: 'TRACE… [--format text|json]',
  summary:
    'header, session, clock, loss, the events by provider and id with their counts, and what was not recorded, of any .etl',
  details: ['--format F   text (default), json (docs/formats.md); --json is the same'],
  run: async (given) => {
    const args = formatRead(given);
    needsTrace(args);
    const folder = await mkdtemp(join(tmpdir(), 'outrank-info-'));
    const file = join(folder, 'info.json');
    const asJson = args.includes('--json');
    try {
      const code = await runConverter(['info', ...args, '--json-to', file], asJson ? 'ignore' : 'inherit');
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

/** The arguments with `--json` for `--format json`, as the converter takes them. */
function formatRead(args: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: { format: { type: 'string' } },
  });
  const token = tokens.find((each) => each.kind === 'option' && each.name === 'format');
  if (token?.kind !== 'option') return args;
  const format = choice('format', token.value ?? '', ['text', 'json']);
  const taken = token.inlineValue === true ? 1 : 2;
  const left = args.filter((_, at) => at < token.index || at >= token.index + taken);
  return format === 'json' ? [...left, '--json'] : left;
}

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

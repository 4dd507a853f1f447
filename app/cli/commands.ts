import { blame } from './blame.ts';
import { bundle } from './bundle.ts';
import type { Command } from './command.ts';
import { compare } from './compare.ts';
import { convert } from './converter.ts';
import { episodes } from './episodes.ts';
import { explain } from './explain.ts';
import { exportTrace } from './export.ts';
import { findings } from './findings.ts';
import { info } from './info.ts';
import { guide } from './guide.ts';
import { lake } from './lake.ts';
import { link } from './link.ts';
import { mcp } from './mcp.ts';
import { open } from './open.ts';
import { panel } from './panel.ts';
import { query } from './query.ts';
import { serve } from './serve.ts';
import { symbols } from './symbols.ts';
import { token } from './token.ts';
import { update } from './update.ts';
import { upload } from './upload.ts';
import { view, views } from './view.ts';
import { whatIf } from './what-if.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  open,
  serve,
  upload,
  token,
  info,
  convert,
  exportTrace,
  query,
  findings,
  episodes,
  explain,
  blame,
  whatIf,
  compare,
  symbols,
  views,
  view,
  panel,
  lake,
  link,
  bundle,
  mcp,
  update,
  guide,
];

/** Lines of the help are no longer than most terminals are wide, in characters. */
const WIDEST = 118;

/** How a command is called, in lines that end between two options. */
function usageLines({ name, usage }: Command): readonly string[] {
  const lines: string[] = [];
  let line = `outrank ${name}`;
  for (const part of usage === '' ? [] : partsOf(usage)) {
    if (line.length + 1 + part.length > WIDEST) {
      lines.push(line);
      line = `    ${part}`;
    } else line += ` ${part}`;
  }
  return [...lines, line];
}

/** What stands between the blanks of a usage; a blank in brackets parts nothing. */
function partsOf(usage: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  for (const word of usage.split(' ')) {
    if (depth > 0) parts.push(`${parts.pop() ?? ''} ${word}`);
    else parts.push(word);
    depth += word.split(/[[(]/).length - word.split(/[\])]/).length;
  }
  return parts;
}

/** The help, of one command or of all. */
export function help(name?: string): string[] {
  const command = commands.find((each) => each.name === name);
  if (command) {
    const details = command.details ?? [];
    const lines = details.length > 0 ? ['', ...details.map((line) => (line === '' ? '' : `  ${line}`))] : [];
    return [
      ...usageLines(command).map((line) => `${line}\n`),
      `  ${command.summary}\n`,
      ...lines.map((line) => `${line}\n`),
    ];
  }
  return [
    'outrank: analyse Windows performance traces\n\n',
    ...commands.flatMap((each) => [
      ...usageLines(each).map((line) => `  ${line}\n`),
      `      ${each.summary}\n`,
    ]),
    '\nTRACE is an .etl (also in a .zip, .diagsession, .cab or .gz), .pftrace or .outrank file. `outrank help COMMAND` says more.\n',
    'TRACE may be the word demo. Without a command, `outrank TRACE` opens it; `outrank --version` tells the version.\n',
    'Exit codes: 0 done; 1 wrong usage or failure; 2 not readable as a trace; 3 done, but the trace is damaged; 4 a bound\n',
    'of compare is broken for sure.\n',
  ];
}

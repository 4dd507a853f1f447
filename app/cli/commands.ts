import { bundle } from './bundle.ts';
import type { Command } from './command.ts';
import { convert, info } from './converter.ts';
import { exportTrace } from './export.ts';
import { findings } from './findings.ts';
import { link } from './link.ts';
import { open } from './open.ts';
import { panel } from './panel.ts';
import { query } from './query.ts';
import { serve } from './serve.ts';
import { symbols } from './symbols.ts';
import { token } from './token.ts';
import { upload } from './upload.ts';
import { view, views } from './view.ts';

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
  symbols,
  views,
  view,
  panel,
  link,
  bundle,
];

/** The help, of one command or of all. */
export function help(name?: string): string[] {
  const command = commands.find((each) => each.name === name);
  if (command) {
    const details = command.details ?? [];
    const lines = details.length > 0 ? ['', ...details.map((line) => `  ${line}`)] : [];
    return [
      `outrank ${command.name} ${command.usage}\n  ${command.summary}\n`,
      ...lines.map((line) => `${line}\n`),
    ];
  }
  return [
    'outrank: analyse Windows performance traces\n\n',
    ...commands.map((each) => `  outrank ${each.name} ${each.usage}\n      ${each.summary}\n`),
    '\nTRACE is an .etl (also in a .zip, .diagsession, .cab or .gz), .pftrace or .outrank file. `outrank help COMMAND` says more.\n',
    'Exit codes: 0 done; 1 wrong usage or failure; 2 not readable as a trace; 3 done, but the trace is damaged.\n',
  ];
}

import { parseArgs } from 'node:util';
import { runAllRules } from '../../shared/findings/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { readRuleFiles, rulesDir } from '../host/user-rules.ts';
import { choice, only } from './command.ts';
import type { Command } from './command.ts';
import { findingsPage } from './findings-page.ts';
import { findingsText } from './findings-text.ts';
import { versionedJson } from './json.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { summaryOf, withTrace } from './session.ts';
import { SYMBOL_DETAILS, SYMBOL_OPTIONS } from './symbols.ts';
import { print, printData } from './terminal.ts';

/** `outrank findings`: what is wrong in a trace, by the seconds that the user lost. */
export const findings: Command = {
  name: 'findings',
  usage: `TRACE [--rules DIR] [--format text|json|html] [--symbols PATH] ${OPEN_USAGE}`,
  summary: 'print what is wrong in a trace, by the seconds that it cost the user, each with its proof',
  details: [
    '--rules DIR          rules of yours, in addition to those of Outrank; docs/findings.md says how to write',
    `                     one (default: ${rulesDir()})`,
    '--format F           text (default), json, html (one page without scripts, to send to others)',
    ...SYMBOL_DETAILS,
    ...OPEN_DETAILS,
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        rules: { type: 'string' },
        format: { type: 'string', default: 'text' },
        ...PART_OPTIONS,
        ...SYMBOL_OPTIONS,
      },
    });
    const path = only(positionals, 'TRACE');
    const format = choice('format', values.format, ['text', 'json', 'html']);
    const own = await readRuleFiles(values.rules ?? rulesDir(), values.rules === undefined);
    const report = async (host: Host, opened: OpenTrace): Promise<void> => {
      const { name } = opened;
      const query = hostQuery(host, opened);
      const trace = summaryOf(opened, path, 'no rule applies to it');
      const found = await runAllRules(query, own, trace.range);
      if (format === 'json') await printData([versionedJson(found)]);
      else if (format === 'html') await printData([await findingsPage(name, found, trace.range)]);
      else await print(findingsText(path, found, trace.range));
    };
    return withTrace(path, report, {
      part: readPart(values),
      with: values.with,
      symbols: values.symbols,
      columns: true,
    });
  },
};

import { fileName } from '../../shared/model/index.ts';
import { parseArgs } from 'node:util';
import type { Host, OpenTrace } from '../host/api.ts';
import { coverage, NOTHING_TO_NAME, type ModuleSymbols, type SymbolReport } from '../host/symbols/report.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { alignedTable } from './rows.ts';
import { withTrace } from './session.ts';
import { versionedJson } from './json.ts';
import { print, printData, progressLine } from './terminal.ts';

/** The option of commands that ask a trace, for `parseArgs`. */
export const SYMBOL_OPTIONS = {
  symbols: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** What the help says of it. */
export const SYMBOL_DETAILS = [
  '--symbols PATH       name the functions of stacks: FOLDER;srv*STORE*https://SERVER, as in _NT_SYMBOL_PATH;',
  '                     only servers that the path names are asked',
];

/** `outrank symbols`: which images of a trace have symbols. */
export const symbols: Command = {
  name: 'symbols',
  usage: `TRACE [--path PATH]… [--format table|json] ${OPEN_USAGE}`,
  summary: 'look for the symbols of the images in stacks, and print what was found, or why not',
  details: [
    '--path PATH          where to look: FOLDER;srv*STORE*https://SERVER;cache*STORE (default: _NT_SYMBOL_PATH);',
    '                     only servers that the path names are asked, and what they send is kept',
    '--format F           table (default), json',
    ...OPEN_DETAILS,
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        path: { type: 'string', multiple: true, default: [] },
        format: { type: 'string', default: 'table' },
        ...PART_OPTIONS,
      },
    });
    const trace = only(positionals, 'TRACE');
    const format = choice('format', values.format, ['table', 'json']);
    const path = values.path.length > 0 ? values.path.join(';') : process.env._NT_SYMBOL_PATH;
    if (path === undefined) throw new UsageError('give --path, or set _NT_SYMBOL_PATH');
    const look = async (host: Host, { id }: OpenTrace): Promise<void> => {
      const line = progressLine();
      const report = await host.loadSymbols(id, path, { onProgress: line.showSymbols }).finally(line.clear);
      await (format === 'json' ? printData([versionedJson(report)]) : print(describe(report)));
    };
    return withTrace(trace, look, { part: readPart(values), with: values.with });
  },
};

function* describe(report: SymbolReport): Iterable<string> {
  if (report.modules.length === 0) {
    yield `${NOTHING_TO_NAME}\n`;
    return;
  }
  const { samples, covered } = coverage(report);
  const header = ['image', 'PDB', 'samples', 'addresses', 'named'];
  const row = ({ path, pdb, samples: count, addresses, named, found }: ModuleSymbols) => {
    const name = fileName(path);
    return [name, found ?? `no ${pdb ?? 'PDB'}`, `${count}`, `${addresses}`, `${named}`];
  };
  yield* alignedTable(header, report.modules.map(row), (column) => column > 1);
  if (covered !== null)
    yield `\n${(100 * covered).toFixed(1)} % of ${samples} samples in images are in images with symbols\n`;
  for (const { path, reasons } of report.modules) {
    if (reasons.length === 0) continue;
    yield `\n${path}\n`;
    yield* reasons.map((reason) => `  ${reason}\n`);
  }
}

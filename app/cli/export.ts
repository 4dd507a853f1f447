import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EXPORT_FORMATS, type ExportFormat } from '../host/export-arguments.ts';
import { exportRecording } from '../host/export.ts';
import { partArguments } from '../host/part.ts';
import type { Command } from './command.ts';
import { only, UsageError } from './command.ts';
import { exportTable } from './export-table.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { isFolder } from './query-tables.ts';
import { existing } from './serve.ts';
import { places } from './session.ts';
import { print, progressLine, say } from './terminal.ts';

/** `outrank export`: a recording to give away. */
export const exportTrace: Command = {
  name: 'export',
  usage: `TRACE (-o OUT | --dry-run) [--format F] [--redact LIST] [--process P]… [--json] ${OPEN_USAGE}`,
  summary:
    'write a trace to give away, without what tells about you and your machine, and tell what was in it',
  details: [
    '-o OUT               the file to write; for parquet and arrow, the folder',
    '--format F           pftrace (default): a Perfetto trace; parquet or arrow: tables of scheduling, a file each, for DuckDB,',
    '                     pandas, polars and others; sqlite: the same tables in one database: docs/columns.md',
    '--redact LIST        what to take out: all (the default), none, or a list of names, command-lines, users, paths, titles,',
    '                     keys, hosts, providers, fields, each with =remove, =pseudonym or =keep if wanted: all,paths=keep',
    '--process P          keep events, samples, stacks, images and names of this process only, by name or id; of all others',
    '                     only scheduling; may be given more than once',
    '--dry-run            write nothing: tell what is in the trace and how large the export would be',
    '--json               the same as JSON',
    ...OPEN_DETAILS,
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...PART_OPTIONS,
        output: { type: 'string', short: 'o' },
        format: { type: 'string', default: 'pftrace' },
        redact: { type: 'string', default: 'all' },
        process: { type: 'string', multiple: true, default: [] as string[] },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const path = await existing(only(positionals, 'TRACE'));
    const others = await Promise.all(values.with.map(existing));
    const output = target(values.output, values['dry-run']);
    const format = EXPORT_FORMATS.find((each) => each === values.format);
    if (format === undefined)
      throw new UsageError(`--format is one of ${EXPORT_FORMATS.join(', ')}, not ${values.format}`);
    const part = readPart(values);
    if (output !== null) await requireKind(output, format);
    if (format !== 'pftrace') {
      if (values['dry-run']) throw new UsageError('--dry-run goes with --format pftrace alone');
      if (partArguments(part).length > 0 || values.process.length > 0)
        throw new UsageError(
          `--format ${format} writes the whole trace: leave --from, --to, --only, --skip and --process out`,
        );
    }
    if (output !== null && [path, ...others].some((input) => resolve(input) === resolve(output)))
      throw new UsageError('-o names the trace itself');
    const line = progressLine();
    const report = await exportRecording({
      converter: places.converter,
      inputs: [path, ...others],
      output,
      format,
      request: { part, processes: values.process, redact: values.redact },
      onProgress: (fraction) => line.show({ stage: 'convert', fraction }),
    }).finally(line.clear);
    for (const loss of report.losses) say(loss);
    const lines = values.json ? [JSON.stringify(report, null, 2)] : exportTable(report, output);
    await print(lines.map((each) => `${each}\n`));
    return report.losses.length > 0 ? 3 : 0;
  },
};

/** Throws a {@link UsageError} where a file is in the place of the folder that a format writes, or a folder in that of its file. */
async function requireKind(output: string, format: ExportFormat): Promise<void> {
  const isOfFolder = format === 'parquet' || format === 'arrow';
  if (!existsSync(output) || (await isFolder(output)) === isOfFolder) return;
  throw new UsageError(
    isOfFolder
      ? `${output}: is a file: --format ${format} writes a folder of tables`
      : `${output}: is a folder: --format ${format} writes a file`,
  );
}

function target(output: string | undefined, dryRun: boolean): string | null {
  if (dryRun === (output === undefined)) return output ?? null;
  throw new UsageError(dryRun ? '--dry-run writes nothing: leave -o out' : '-o OUT is missing');
}

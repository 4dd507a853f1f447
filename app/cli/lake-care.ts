import { parseArgs } from 'node:util';
import { formatBytes, formatCount } from '../../shared/model/index.ts';
import {
  checkLake,
  compactLake,
  findTrace,
  forgetTrace,
  removeAbandoned,
  removeDamaged,
} from '../fleet/index.ts';
import { choice, only, UsageError } from './command.ts';
import { lakeFirst, withLake } from './lake-open.ts';
import { versionedJson } from './json.ts';
import { print, printData, say } from './terminal.ts';
import { TracePlaces } from '../host/trace-places.ts';

/** The exit code where something of the lake is damaged. */
const DAMAGED = 3;

/** `outrank lake check`: whether all that is listed is there and whole. */
export async function checkTheLake(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { repair: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
  });
  const address = only(positionals, 'LAKE');
  const format = choice('format', values.format, ['text', 'json']);
  if (format === 'json' && values.repair) throw new UsageError('--repair tells what it does as text alone');
  return withLake(address, async (on) => {
    const report = await checkLake(on.lake, on.duckdb);
    if (format === 'json') {
      const { traces, files, bytes, problems, unlisted, ahead } = report;
      await printData([versionedJson({ traces, files, bytes, problems, unlisted, ahead })]);
      return problems.length === 0 ? 0 : DAMAGED;
    }
    for (const problem of report.problems) say(problem);
    const rubbish = report.unlisted.reduce((sum, { bytes }) => sum + bytes, 0);
    await print([
      `${formatCount(report.traces)} ${report.traces === 1 ? 'trace' : 'traces'} in ${formatCount(report.files)} files, ${formatBytes(report.bytes)}\n`,
      ...(report.unlisted.length === 0
        ? []
        : [
            `${formatCount(report.unlisted.length)} files, ${formatBytes(rubbish)}, are not listed: writers are at work, or were killed\n`,
          ]),
      ...report.ahead.map(
        (date) => `recordings of ${date} lie ahead: the clock of their machine was wrong\n`,
      ),
      ...(report.problems.length === 0 ? ['all that is listed is whole\n'] : []),
    ]);
    if (values.repair) {
      for (const id of await removeDamaged(on.lake, report))
        await print([`taken off the list, to be added again: ${id}\n`]);
      for (const path of await removeAbandoned(on.lake, report)) await print([`removed: ${path}\n`]);
    }
    return report.problems.length === 0 ? 0 : DAMAGED;
  });
}

/** `outrank lake compact`: few files in place of many. */
export async function compactTheLake(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  return withLake(only(positionals, 'LAKE'), async (on) => {
    const days: string[] = [];
    const { units, files } = await compactLake(on, (date, traces) =>
      days.push(`${date ?? 'no date'}: ${formatCount(traces)} traces in one pack\n`),
    );
    await print([
      ...days,
      `${formatCount(files.before)} files before, ${formatCount(files.after)} now, in ${formatCount(units.after)} ${units.after === 1 ? 'pack or single trace' : 'packs or single traces'}\n`,
    ]);
    return 0;
  });
}

/** `outrank lake forget`: a trace is removed. */
export async function forgetInLake(args: string[]): Promise<number> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [address, [given, ...more]] = lakeFirst(positionals);
  if (given === undefined || more.length > 0)
    throw new UsageError('one TRACE is taken: the beginning of its id');
  return withLake(address, async (on) => {
    const id = await findTrace(on.lake, given.toLowerCase());
    await forgetTrace(on, id);
    await new TracePlaces().forget(id);
    await print([`forgotten: ${id}\n`]);
    return 0;
  });
}

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Lake, viewsSql } from '../fleet/index.ts';
import { UsageError } from './command.ts';
import { questionFile } from './lake-ask.ts';
import { lakeFirst } from './lake-open.ts';
import { readTags } from './lake-add.ts';
import { root } from './session.ts';

/** Where the jobs are. */
const JOBS = join(root, 'app', 'fleet', 'spark');

/**
 * `outrank lake spark`: hands a job to a cluster by `spark-submit`, which gets what stands behind `--`. The exit code is that of the job.
 */
export async function sparkLake(args: string[]): Promise<number> {
  const end = args.indexOf('--');
  const [own, options] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parseArgs({
    args: own,
    allowPositionals: true,
    options: {
      traces: { type: 'string' },
      question: { type: 'string' },
      tag: { type: 'string', multiple: true, default: [] as string[] },
      param: { type: 'string', multiple: true, default: [] as string[] },
      outrank: { type: 'string', default: 'outrank' },
    },
  });
  const [lake, rest] = lakeFirst(positionals);
  if (rest.length > 0)
    throw new UsageError(`spark takes one LAKE, and its options behind --: ${rest.join(' ')}`);
  const { traces, question } = values;
  if ((traces === undefined) === (question === undefined))
    throw new UsageError('spark takes --traces FOLDER or --question QUESTION');
  const submit = findSubmit();
  if (traces !== undefined) {
    readTags(values.tag);
    const asked = ['--traces', traces, '--lake', lake, '--outrank', values.outrank];
    return run(submit, [...options, join(JOBS, 'fill_lake.py'), ...asked, ...repeated('--tag', values.tag)]);
  }
  const folder = await mkdtemp(join(tmpdir(), 'outrank-spark-'));
  try {
    const [views, panel] = [join(folder, 'views.sql'), join(folder, 'question.panel.sql')];
    const { storage } = await Lake.open(lake);
    await writeFile(
      views,
      viewsSql(storage.address, 'spark')
        .map((statement) => `${statement};\n\n`)
        .join(''),
    );
    await writeFile(panel, (await questionFile(question ?? '')).text);
    const asked = ['--views', views, '--question', panel, ...repeated('--param', values.param)];
    return await run(submit, [...options, join(JOBS, 'ask_lake.py'), ...asked]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function repeated(option: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [option, value]);
}

/** The `spark-submit` of `SPARK_HOME`, or the one on the path. */
function findSubmit(): string {
  if (process.platform === 'win32')
    throw new UsageError(`on Windows start the jobs in ${JOBS} by spark-submit yourself`);
  const { SPARK_HOME, PATH = '' } = process.env;
  const folders = [...(SPARK_HOME === undefined ? [] : [join(SPARK_HOME, 'bin')]), ...PATH.split(delimiter)];
  const found = folders.map((folder) => join(folder, 'spark-submit')).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new UsageError(
    'there is no spark-submit here: set SPARK_HOME, or pip install pyspark==4.3.0 on Java 17',
  );
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

// Runs a benchmark of the TypeScript parts: `node scripts/bench.mjs engine|open|filter|first-picture|frames|timeline|query|tasks|ranges|web|causes|compare|why-late|viewers TRACE…`, `storms FOLDER`, or `lake LAKE`.
// With `--record LOAD`, what a benchmark gives back is written into docs/performance.md, under that name of its load.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The benchmarks: modules that export `bench(...paths)`. @type {Record<string, string>} */
const benches = {
  engine: 'shared/engine/testing/bench.ts',
  columns: 'shared/engine/testing/bench-columns.ts',
  open: 'app/host/testing/bench.ts',
  filter: 'app/host/testing/bench-filter.ts',
  storms: 'app/host/testing/bench-storms.ts',
  'first-picture': 'test/support/first-picture.ts',
  frames: 'test/support/frames.ts',
  timeline: 'test/support/timeline-bench.ts',
  query: 'test/support/query-bench.ts',
  tasks: 'test/support/page-tasks.ts',
  ranges: 'test/support/ranges-bench.ts',
  web: 'test/support/web-bench.ts',
  causes: 'app/host/testing/bench-causes.ts',
  compare: 'app/host/testing/bench-compare.ts',
  'why-late': 'app/host/testing/bench-why-late.ts',
  viewers: 'app/server/team/bench-viewers.ts',
  lake: 'app/fleet/testing/bench-lake.ts',
};

const given = process.argv.slice(2);
const at = given.indexOf('--record');
const load = at < 0 ? undefined : given.splice(at, 2)[1];
const [name = '', ...paths] = given;
const entry = benches[name];
if (entry === undefined || paths.length === 0) {
  console.error(`usage: node scripts/bench.mjs ${Object.keys(benches).join('|')} TRACE… [--record LOAD]`);
  process.exit(1);
}
const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
try {
  const outfile = join(folder, 'bench.mjs');
  const worker = entry.replace(/\.ts$/, '-worker.ts');
  /** @type {(source: string, outfile: string) => Promise<unknown>} */
  const bundle = (source, outfile) =>
    build({
      entryPoints: [join(root, source)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['esbuild', 'playwright-core', 'ws', 'yauzl', 'yazl', '@aws-sdk/*', '@duckdb/node-api'],
      loader: { '.sql': 'text' },
      // The sources look for files next to themselves, not next to the bundle.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, source)).href) },
    });
  await bundle(entry, outfile);
  if (existsSync(join(root, worker))) {
    process.env.OUTRANK_BENCH_WORKER = join(folder, 'worker.mjs');
    await bundle(worker, process.env.OUTRANK_BENCH_WORKER);
  }
  const { bench } = await import(pathToFileURL(outfile).href);
  const measured = (await bench(...paths)) ?? [];
  if (load !== undefined && measured.length === 0) {
    console.error(`${name} gives back nothing to record: see docs/measuring.md, "To record"`);
    process.exitCode = 1;
  }
  const command = ['node scripts/bench.mjs', name, ...paths.map((path) => basename(path))].join(' ');
  const rows = measured.map((/** @type {object} */ row) => ({ load, ...row, command }));
  if (load !== undefined && measured.length > 0)
    execFileSync(process.execPath, [join(root, 'scripts/performance-docs.mjs'), '--record'], {
      input: JSON.stringify(rows),
      stdio: ['pipe', 'inherit', 'inherit'],
    });
} finally {
  await rm(folder, { recursive: true });
}

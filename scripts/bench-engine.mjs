// Measures load time, table building, queries and memory of the engine: `node scripts/bench-engine.mjs TRACE.pftrace`.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error('usage: node scripts/bench-engine.mjs TRACE.pftrace');
  process.exit(1);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
try {
  const outfile = join(folder, 'bench.mjs');
  await build({
    entryPoints: [join(root, 'shared/engine/testing/bench.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['esbuild'],
    loader: { '.sql': 'text' },
    // The engine is looked for beside the sources, not beside the bundle.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'shared/engine/testing/start.ts'))),
    },
  });
  const { bench } = await import(pathToFileURL(outfile).href);
  await bench(path);
} finally {
  await rm(folder, { recursive: true });
}

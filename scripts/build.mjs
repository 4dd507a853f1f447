// Builds the app into dist/. `node scripts/build.mjs [PART…]` builds the named parts alone.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import { sqlText } from './sql-text.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** @type {import('esbuild').BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  loader: { '.sql': 'text' },
  sourcemap: true,
  logLevel: 'silent',
};

/** Electron 22, on which the tests run, is Node 16.17; its sandboxed preload must be CommonJS on every version. */
const electronTarget = { format: /** @type {const} */ ('cjs'), target: 'node16.17', external: ['electron'] };

/** The parts by name: what builds each. */
const parts = {
  engine: () =>
    esbuild.build({
      ...common,
      ...electronTarget,
      entryPoints: ['shared/engine/worker.ts'],
      outfile: 'dist/engine-worker.cjs',
    }),

  cli: () =>
    esbuild.build({
      ...common,
      entryPoints: ['app/cli/main.ts'],
      outfile: 'dist/cli.js',
      format: 'esm',
      target: 'node20.19',
      // CommonJS packages that ask for Node's own modules cannot live in an ESM bundle.
      external: ['ws', 'linkedom'],
    }),

  async electron() {
    await esbuild.build({
      ...common,
      ...electronTarget,
      entryPoints: { main: 'app/electron/main.ts', preload: 'app/electron/preload.ts' },
      outdir: 'dist/electron',
      outExtension: { '.js': '.cjs' },
    });
    const { name, version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));
    await mkdir(`${root}/dist/electron`, { recursive: true });
    await writeFile(
      `${root}/dist/electron/package.json`,
      JSON.stringify({ name, productName: 'Outrank', version, main: 'main.cjs' }, null, 2),
    );
  },

  ui: () =>
    vite.build({
      configFile: false,
      root: `${root}/app/ui`,
      logLevel: 'error',
      plugins: [sqlText()],
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: `${root}/dist/ui`,
        emptyOutDir: true,
        target: 'chrome108',
        sourcemap: true,
        // The page's policy lets it load files of its own origin, not `data:`.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
      },
    }),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`build: no part "${unknown}": there are ${Object.keys(parts).join(', ')}`);
  process.exit(1);
}
const results = await Promise.allSettled(
  Object.entries(parts)
    .filter(([name]) => wanted.length === 0 || wanted.includes(name))
    .map(async ([name, build]) => {
      await build().catch((/** @type {Error} */ error) => {
        throw new Error(`build: ${name}: ${error.message}`);
      });
    }),
);
for (const result of results) {
  if (result.status === 'fulfilled') continue;
  console.error(result.reason.message);
  process.exitCode = 1;
}

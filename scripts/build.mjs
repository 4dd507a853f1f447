// Builds the app into dist/. `node scripts/build.mjs [PART…]` builds the named parts alone.
// As a global set-up of Vitest it builds what the tests run.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  loader: { '.sql': 'text', '.md': 'text' },
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

  /** Makes models of views where the files of a trace are. */
  models: () =>
    esbuild.build({
      ...common,
      ...electronTarget,
      entryPoints: ['app/models/node-worker.ts'],
      outfile: 'dist/models-worker.cjs',
    }),

  /** Run the WebAssembly modules of the converter and of the reader of symbols, which `scripts/build-wasm.sh` puts next to them. */
  converter: () =>
    esbuild.build({
      ...common,
      entryPoints: {
        'outrank-convert': 'app/host/wasm-converter.ts',
        'outrank-symbols': 'app/host/symbols/wasm-symbols.ts',
      },
      outdir: 'dist',
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      target: 'node20.19',
    }),

  async cli() {
    const { metafile } = await esbuild.build({
      ...common,
      entryPoints: ['app/cli/main.ts'],
      outdir: 'dist/cli',
      format: 'esm',
      target: 'node20.19',
      // What few commands import when they run is not read by the others.
      splitting: true,
      metafile: true,
      // CommonJS packages that ask for Node's own modules cannot live in an ESM bundle.
      external: ['ws', 'linkedom', '@aws-sdk/*', '@duckdb/node-api', 'yauzl', 'yazl'],
    });
    // Files of earlier builds have other names.
    const left = (await readdir(`${root}/dist/cli`)).filter(
      (name) => !(`dist/cli/${name}` in metafile.outputs),
    );
    await Promise.all(left.map((name) => rm(`${root}/dist/cli/${name}`, { force: true })));
  },

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
      logLevel: 'silent',
      plugins: [sqlText()],
      worker: { format: 'es', plugins: () => [sqlText()] },
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
      build: {
        outDir: `${root}/dist/ui`,
        emptyOutDir: true,
        target: 'chrome108',
        sourcemap: true,
        // The page's policy lets it load files of its own origin, not `data:`.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rollupOptions: { input: ['index', 'team', 'lake'].map((page) => `${root}/app/ui/${page}.html`) },
      },
    }),
};

/**
 * Builds parts side by side; the promise rejects with all that went wrong.
 * @param {string[]} names
 */
async function build(names) {
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined)
    throw new Error(`no part "${unknown}": there are ${Object.keys(parts).join(', ')}`);
  const results = await Promise.allSettled(
    Object.entries(parts)
      .filter(([name]) => names.includes(name))
      .map(([name, part]) =>
        part().catch((/** @type {Error} */ error) => {
          throw new Error(`${name}: ${error.message}`);
        }),
      ),
  );
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** What Vitest calls before the tests. */
export const setup = () => build(['engine', 'models', 'converter', 'cli']);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  await build(names.length > 0 ? names : Object.keys(parts)).catch((/** @type {Error} */ error) => {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  });
}

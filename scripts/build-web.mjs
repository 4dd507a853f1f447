// scripts/build-web.mjs: builds the page that needs no server into dist/web: static files for any web server or file host.
// Build first: scripts/setup.sh and scripts/build-wasm.sh.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as vite from 'vite';
import { sqlText } from './sql-text.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'dist', 'web');
const demo = join(root, 'vendor', 'demo', 'lock-screen.etl');
const source = join(root, 'app', 'web');

/** What the page and its workers may do: the policy of the page, with what a policy in a page cannot say. */
function policy() {
  const page = readFileSync(join(source, 'index.html'), 'utf8');
  const [, content] = /http-equiv="content-security-policy"\s+content="([^"]+)"/.exec(page) ?? [];
  if (content === undefined) throw new Error('app/web/index.html has no content security policy');
  return `${content}; frame-ancestors 'none'`;
}

/** @param {string[]} files by their addresses, relative to the page */
function serviceWorker(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(out, file)));
  const fetcher = files.find((file) => /(^|\/)fetch-worker-[\w-]+\.js$/.test(file));
  if (fetcher === undefined) throw new Error('the build has no fetch-worker');
  const values = {
    FETCHER: fetcher,
    VERSION: hash.digest('hex').slice(0, 16),
    FILES: ['./', ...files],
    POLICY: policy(),
  };
  const constants = Object.entries(values).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
  );
  return constants.join('') + readFileSync(join(source, 'service-worker.js'), 'utf8');
}

async function build() {
  const wanted = [
    demo,
    'dist/outrank-convert.wasm',
    'dist/outrank-symbols.wasm',
    'vendor/engine/trace_processor.wasm',
  ];
  const missing = wanted.filter((path) => !existsSync(path.startsWith(root) ? path : join(root, path)));
  if (missing.length > 0)
    throw new Error(
      `there is no ${missing.join(', ')}: run scripts/setup.sh and scripts/build-wasm.sh first`,
    );
  writeFileSync(`${demo}.gz`, gzipSync(readFileSync(demo), { level: 9 }));
  await vite.build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'silent',
    plugins: [sqlText()],
    assetsInclude: ['**/*.etl.gz'],
    worker: { format: 'es', plugins: () => [sqlText()] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'chrome108',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  const paths = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(out, path)).isFile(),
  );
  const files = paths.map((path) => relative(out, join(out, path)).split(sep).join('/')).sort();
  writeFileSync(join(out, 'service-worker.js'), serviceWorker(files));
  // For servers that send it as a header.
  writeFileSync(join(out, 'policy.txt'), `${policy()}\n`);
}

await build().catch((/** @type {Error} */ error) => {
  console.error(`build-web: ${error.message}`);
  process.exitCode = 1;
});

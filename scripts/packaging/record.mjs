// scripts/packaging/record.mjs FOLDER: writes for the packages in FOLDER, into the same folder, what they hold (CycloneDX), how they were made (in-toto,
// SLSA provenance; not signed), and their SHA-256.
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crates } from './licences.mjs';
import { root } from './root.mjs';
import { SYSTEMS } from './systems.mjs';

const SUMS = 'SHA256SUMS';

/**
 * @param {string} path
 */
async function digest(path) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The bill of materials: what npm tells, and the crates of all systems. */
function billOfMaterials() {
  const told = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, shell: process.platform === 'win32' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bom = JSON.parse(told);
  const triples = Object.values(SYSTEMS).flatMap(({ triple, crossTriple }) => [
    triple,
    crossTriple ?? triple,
  ]);
  const linked = new Map(
    [...new Set(triples), 'wasm32-wasip1']
      .flatMap(crates)
      .map((each) => [`${each.name}@${each.version}`, each]),
  );
  const { version: electron } = JSON.parse(
    readFileSync(join(root, 'node_modules', 'electron', 'package.json'), 'utf8'),
  );
  const ours = [
    ...[...linked.values()].map(({ name, version, licence }) => component('cargo', name, version, licence)),
    component('npm', 'electron', electron, 'MIT'),
    component('github', 'google/perfetto', 'v55.3', 'Apache-2.0'),
  ];
  // npm calls it by the folder of the checkout.
  Object.assign(bom.metadata.component, { type: 'application', name: 'outrank' });
  return { ...bom, components: [...bom.components, ...ours] };
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string} version
 * @param {string} licence
 */
function component(kind, name, version, licence) {
  const purl = `pkg:${kind}/${name}@${version}`;
  // Crates write the older form of "or".
  const expression = licence.replaceAll('/', ' OR ');
  return { 'bom-ref': purl, type: 'library', name, version, purl, licenses: [{ expression }] };
}

/**
 * How the packages were made, as an in-toto statement.
 * @param {readonly { name: string, sha256: string }[]} packages
 */
async function provenance(packages) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = process.env;
  const builder =
    server !== undefined && repository !== undefined
      ? `${server}/${repository}/.github/workflows/release.yml`
      : `https://outrank.dev/builders/${hostname()}`;
  const locks = ['package-lock.json', 'converter/Cargo.lock', 'scripts/fetch-engine.mjs'];
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: packages.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://outrank.dev/scripts/release/v1',
        externalParameters: { packages: packages.map(({ name }) => name) },
        internalParameters: { node: process.version, rustc: rustVersion() },
        resolvedDependencies: [
          { name: 'outrank', digest: { gitCommit: git('rev-parse', 'HEAD') } },
          ...(await Promise.all(
            locks.map(async (name) => ({ name, digest: { sha256: await digest(join(root, name)) } })),
          )),
        ],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { invocationId: run ?? randomUUID(), finishedOn: new Date().toISOString() },
      },
    },
  };
}

function rustVersion() {
  return execFileSync('rustc', ['--version'], { encoding: 'utf8' }).trim();
}

/** @param {string} folder */
async function record(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bom = `outrank-${version}.cdx.json`;
  const statement = `outrank-${version}.intoto.json`;
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && ![SUMS, bom, statement].includes(entry.name))
    .map(({ name }) => name)
    .sort();
  if (names.length === 0) throw new Error(`${folder}: no packages here`);
  const packages = [];
  for (const name of names) packages.push({ name, sha256: await digest(join(folder, name)) });
  writeFileSync(join(folder, bom), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  writeFileSync(join(folder, statement), `${JSON.stringify(await provenance(packages), null, 2)}\n`);
  for (const name of [bom, statement]) packages.push({ name, sha256: await digest(join(folder, name)) });
  writeFileSync(join(folder, SUMS), packages.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
}

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
  console.error('record: one FOLDER is taken: where the packages are');
  process.exitCode = 1;
} else
  await record(folder).catch((/** @type {Error} */ error) => {
    console.error(`record: ${error.message}`);
    process.exitCode = 1;
  });

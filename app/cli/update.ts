import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { UsageError, type Command } from './command.ts';
import { ownVersion } from './session.ts';
import { print, say } from './terminal.ts';

const REGISTRY = 'https://registry.npmjs.org/';
/** How long the registry may take to answer, in ms. */
const LIMIT_MS = 10_000;

const VERSION = v.pipe(v.string(), v.regex(/^\d{1,9}\.\d{1,9}\.\d{1,9}$/));
const LATEST = v.object({ version: VERSION });

/** `outrank update`: whether there is a newer version. */
export const update: Command = {
  name: 'update',
  usage: '[--registry URL]',
  summary: 'tell whether there is a newer version: one request to a registry of npm; nothing is installed',
  details: [
    '--registry URL   the registry that is asked; https://registry.npmjs.org by default',
    'No other command asks, and the window and the page never do.',
  ],
  async run(args) {
    const { values } = parseArgs({ args, options: { registry: { type: 'string', default: REGISTRY } } });
    const address = addressIn(values.registry);
    const own = ownVersion();
    const answer = await ask(address);
    if ('failure' in answer) {
      say(`whether there is a newer version than ${own} is not known: ${answer.failure}`);
      return 1;
    }
    const { version } = answer;
    await print([
      isNewer(version, own)
        ? `Outrank ${version} is there; this is ${own}. npm install --global outrank@${version} installs it\n`
        : `Outrank ${own} is the newest version\n`,
    ]);
    return 0;
  },
};

/** The address where a registry describes the newest Outrank. */
function addressIn(registry: string): URL {
  if (!/^https?:\/\//i.test(registry) || !URL.canParse(registry))
    throw new UsageError(
      `--registry takes an address that begins with https:// or http://, not "${registry}"`,
    );
  return new URL('outrank/latest', registry.endsWith('/') ? registry : `${registry}/`);
}

type Answer = { readonly version: string } | { readonly failure: string };

async function ask(address: URL): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(address, { redirect: 'error', signal });
    if (response.status === 404) {
      await response.body?.cancel();
      return { failure: `${address.origin} has no package outrank` };
    }
    if (!response.ok) {
      await response.body?.cancel();
      return { failure: `${address.origin} answered with status ${response.status}` };
    }
    const told = v.safeParse(LATEST, await response.json());
    return told.success
      ? { version: told.output.version }
      : { failure: `the answer of ${address.origin} has no "version" of three numbers` };
  } catch (error) {
    if (error instanceof SyntaxError) return { failure: `the answer of ${address.origin} is not JSON` };
    return { failure: `${address.origin} cannot be reached` };
  }
}

/** Whether a version of three numbers comes after another. */
function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number));
  const first = a?.findIndex((part, i) => part !== b?.[i]) ?? -1;
  return first >= 0 && Number(a?.[first]) > Number(b?.[first]);
}

import { parseArgs } from 'node:util';
import { launchElectron } from '../electron/launch.ts';
import type { Command } from './command.ts';
import { isLink, packState, readLink } from '../../shared/link/index.ts';
import { OpenError } from '../host/api.ts';
import { partArguments, WHOLE } from '../host/part.ts';
import { OPEN_DETAILS, OPEN_USAGE, PART_OPTIONS, readPart } from './part.ts';
import { FETCH_DETAILS, FETCH_OPTIONS, fetchTrace, type FetchValues } from './fetch.ts';
import { pathOf } from '../host/locate.ts';
import { existing, serveTraces } from './serve.ts';
import { root, startHost } from './session.ts';
import { say } from './terminal.ts';

/** `outrank open`: the desktop window. */
export const open: Command = {
  name: 'open',
  usage: `[TRACE | LINK [--fetch [--token-file FILE] [--unencrypted]]] ${OPEN_USAGE}`,
  summary:
    'show a trace, a bundle or the place of a link in the Outrank window, or in the browser where no window can be had',
  details: [
    ...OPEN_DETAILS,
    ...FETCH_DETAILS,
    'A part chosen here, or several files, are shown in the browser; the window offers the choice of a part itself.',
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...PART_OPTIONS, ...FETCH_OPTIONS },
    });
    const [link] = positionals.filter(isLink);
    if (link !== undefined) return openLink(link, values);
    const traces = await Promise.all(positionals.map(pathOf).map(existing));
    const part = readPart(values);
    const others = await Promise.all(values.with.map(existing));
    if (partArguments(part).length > 0 || others.length > 0) return serveTraces(traces, { part, others });
    const launch = await launchElectron(root, traces);
    if (launch.started) return 0;
    say(`no window can be shown (${launch.reason}): serving to the browser instead`);
    return serveTraces(traces);
  },
};

/** Shows the place of a link: in the window, or in the browser if its trace is known here; it is fetched first if that is wanted. */
async function openLink(link: string, values: FetchValues): Promise<number> {
  const { state } = await readLink(link);
  const find = async () => (await startHost().recent()).find(({ id }) => id === state.trace?.id);
  if (values.fetch && (await find()) === undefined) await fetchTrace(state, values);
  const launch = await launchElectron(root, [link.trim()]);
  if (launch.started) return 0;
  const known = await find();
  const { trace } = state;
  if (known === undefined)
    throw new OpenError(
      'file',
      `the link is of ${trace?.name ?? 'no trace'}, which was not opened here before: its SHA-256 is ${trace?.id ?? 'not known'}`,
    );
  say(`no window can be shown (${launch.reason}): serving to the browser instead`);
  const { path, part = WHOLE, with: others = [] } = known;
  return serveTraces([path], { part, others, fragment: await packState(state) });
}

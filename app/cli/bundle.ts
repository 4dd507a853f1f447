import { parseArgs } from 'node:util';
import { NO_LINK, readLink } from '../../shared/link/index.ts';
import { isBundle } from '../host/bundle/format.ts';
import { writeBundle } from '../host/bundle/write.ts';
import { identify } from '../host/identify.ts';
import { only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { WITH_DETAILS } from './part.ts';
import { existing } from './serve.ts';
import { print, progressLine, say } from './terminal.ts';

/** `outrank bundle`: a trace and a link in one file. */
export const bundle: Command = {
  name: 'bundle',
  usage: 'TRACE -o NAME.outrank [--state LINK] [--with FILE]…',
  summary: 'put a trace and a link to a place in it into one file, for mail; outrank open opens it there',
  details: [
    '-o, --output FILE    the bundle, a .outrank file',
    '--state LINK         where in the trace it opens; the link must be of this trace',
    ...WITH_DETAILS,
    'The whole trace is in it, whatever range the link shows.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        state: { type: 'string' },
        with: { type: 'string', multiple: true, default: [] },
      },
    });
    const path = await existing(only(positionals, 'TRACE'));
    const { output } = values;
    if (output === undefined || !isBundle(output))
      throw new UsageError('-o takes the name of a .outrank file');
    const others = await Promise.all(values.with.map(existing));
    const nested = [path, ...others].find(isBundle);
    if (nested !== undefined) throw new UsageError(`${nested}: a bundle holds a trace, not a bundle`);
    const { state, notes } =
      values.state === undefined ? { state: NO_LINK, notes: [] } : await readLink(values.state);
    for (const note of notes) say(note);
    const line = progressLine();
    const { trace: linked } = state;
    const file = await identify(path, {
      with: others,
      part: linked?.part,
      expected: linked?.id,
      onProgress: line.show,
    }).finally(line.clear);
    const paths = [path, ...others];
    const { id, name, sizeBytes } = file;
    const trace = {
      id,
      name,
      sizeBytes,
      ...(others.length > 0 && { files: paths.map((each) => each.split(/[\\/]/).at(-1) ?? each) }),
      ...(linked?.part && { part: linked.part }),
    };
    await writeBundle(output, { ...state, trace }, paths);
    await print([`${output}\n`]);
    return 0;
  },
};

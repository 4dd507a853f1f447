import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparedIds, NO_LINK, readLink, withoutTexts, writeState } from '../../shared/link/index.ts';
import { isBundle } from '../host/bundle/format.ts';
import { bundleRecording } from '../host/give-away.ts';
import { identify } from '../host/identify.ts';
import { cacheDir } from '../host/locate.ts';
import { only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import {
  agrees,
  assertRecordings,
  canAsk,
  GIFT_DETAILS,
  GIFT_OPTIONS,
  GIFT_USAGE,
  readGift,
} from './gift.ts';
import { WITH_DETAILS } from './part.ts';
import { existing } from './serve.ts';
import { places } from './session.ts';
import { print, progressLine, say } from './terminal.ts';

/** `outrank bundle`: a trace and a link in one file. */
export const bundle: Command = {
  name: 'bundle',
  usage: `TRACE -o NAME.outrank [--state LINK] [--with FILE]… [--compared FILE]… ${GIFT_USAGE}`,
  summary: 'put a trace and a link to a place in it into one file, for mail; outrank open opens it there',
  details: [
    '-o, --output FILE    the bundle, a .outrank file',
    '--state LINK         where in the trace it opens; the link must be of this trace',
    ...WITH_DETAILS,
    '--compared FILE      a trace that the link compares with this one, to go with it; not with an export',
    ...GIFT_DETAILS,
    'Unless an export is asked for, the whole trace is in it, whatever range the link shows.',
    'Without a terminal no question is asked.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        state: { type: 'string' },
        with: { type: 'string', multiple: true, default: [] },
        compared: { type: 'string', multiple: true, default: [] },
        ...GIFT_OPTIONS,
      },
    });
    const path = await existing(only(positionals, 'TRACE'));
    const { output } = values;
    if (output === undefined || !isBundle(output))
      throw new UsageError('-o takes the name of a .outrank file');
    const folder = dirname(output);
    const isFolder = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new UsageError(`${output}: cannot be written: there is no folder ${folder}`);
    const others = await Promise.all(values.with.map(existing));
    const compared = await Promise.all(values.compared.map(existing));
    const nested = [path, ...others, ...compared].find(isBundle);
    if (nested !== undefined) throw new UsageError(`${nested}: a bundle holds a trace, not a bundle`);
    const { state, notes } =
      values.state === undefined ? { state: NO_LINK, notes: [] } : await readLink(values.state);
    for (const note of notes) say(note);
    const paths = [path, ...others];
    const gift = readGift(values);
    if (gift !== null && compared.length > 0)
      throw new UsageError('--compared puts recordings into the bundle as they are, not into an export');
    const wanted = comparedIds(state.place);
    for (const each of compared) {
      const { id, name } = await identify(each, {});
      if (!wanted.includes(id)) throw new UsageError(`${name}: the link compares nothing with this file`);
    }
    const sizes = await Promise.all([...paths, ...compared].map(async (each) => (await stat(each)).size));
    const size = sizes.reduce((sum, each) => sum + each, 0);
    const isAsked = !values.yes && canAsk();
    if (!isAsked && gift === null)
      for (const recording of [paths, ...compared.map((each) => [each])]) await assertRecordings(recording);
    const isWanted =
      !isAsked || (await agrees([...paths, ...compared], size, gift, `Put it into ${basename(output)}?`));
    if (!isWanted) {
      say('no bundle was written');
      return 1;
    }
    const line = progressLine();
    const dir = join(cacheDir(), 'outgoing');
    await bundleRecording(
      { converter: places.converter, dir, files: paths, gift, options: { onProgress: line.show } },
      writeState(gift === null ? state : withoutTexts(state)),
      output,
      compared.map((each) => [each]),
    ).finally(line.clear);
    await print([`${output}\n`]);
    return 0;
  },
};

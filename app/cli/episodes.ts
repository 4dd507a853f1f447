import { parseArgs } from 'node:util';
import { EPISODE_KINDS, EPISODE_TITLES, loadEpisodes, type EpisodeSum } from '../../shared/causes/index.ts';
import { contrastEpisodes } from '../../shared/contrast/index.ts';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { loadThreadNames, threadLabel, type ThreadName } from '../../shared/threads/index.ts';
import type { Host, OpenTrace } from '../host/api.ts';
import { hostQuery } from '../host/host-query.ts';
import { choice, only, type Command } from './command.ts';
import { versionedJson } from './json.ts';
import { contrastText } from './contrast.ts';
import { alignedTable } from './rows.ts';
import { summaryOf, withTrace } from './session.ts';
import { shellWord } from './shell-word.ts';
import { print, printData } from './terminal.ts';
import { readRange } from './time.ts';

/** `outrank episodes`: the stretches of time for which somebody may have waited. */
export const episodes: Command = {
  name: 'episodes',
  usage: 'TRACE [--contrast KIND] [--from TIME] [--to TIME] [--format text|json]',
  summary: 'print how long what users wait for took: by kind the count, p50, p95 and the longest',
  details: [
    '--contrast KIND      what the slow ones of a kind have that the ordinary ones have not:',
    `                     ${EPISODE_KINDS.join(', ')}`,
    '--from, --to TIME    only episodes that lie in this time: 30.3s, 500ms, 20us from the start, or ns on the trace clock',
    '--format F           text (default), json (docs/formats.md)',
    'outrank explain says where the time of one went.',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        contrast: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        format: { type: 'string', default: 'text' },
      },
    });
    const path = only(positionals, 'TRACE');
    const format = choice('format', values.format, ['text', 'json']);
    const { contrast } = values;
    const kind = contrast === undefined ? null : choice('contrast', contrast, EPISODE_KINDS);
    const show = async (host: Host, opened: OpenTrace): Promise<void> => {
      const query = hostQuery(host, opened);
      const trace = summaryOf(opened, path, 'it has no episodes');
      const range = readRange(trace.range, values.from, values.to);
      if (kind !== null) {
        const contrasted = await contrastEpisodes(query, range, kind);
        if (format === 'text') await print(contrastText(contrasted, EPISODE_TITLES[kind]));
        else await printData([versionedJson(contrasted)]);
        return;
      }
      const found = await loadEpisodes(query, range);
      const names = await loadThreadNames(dataOf(query).tables);
      if (format === 'json') await printData([versionedJson({ kinds: asJson(found, names) })]);
      else await print(asText(path, found, names, trace.range.start));
    };
    return withTrace(path, show, { columns: true });
  },
};

function asJson(found: readonly EpisodeSum[], names: ReadonlyMap<number, ThreadName>) {
  return found.map(({ longest: { utid, ts, te }, ...sum }) => {
    const { tid = null, pid = null, process = null, thread = null } = names.get(utid) ?? {};
    return { ...sum, longest: { tid, thread, pid, process, ts, te } };
  });
}

function asText(
  path: string,
  found: readonly EpisodeSum[],
  names: ReadonlyMap<number, ThreadName>,
  origin_ns: number,
): string[] {
  if (found.length === 0) return ['No episodes are in this time.\n'];
  const cells = found.map(({ kind, count, p50_ns, p95_ns, longest }) => [
    EPISODE_TITLES[kind],
    formatCount(count),
    formatDuration(p50_ns),
    formatDuration(p95_ns),
    formatDuration(longest.te - longest.ts),
    formatTime(longest.ts, origin_ns),
    threadLabel(names.get(longest.utid)),
  ]);
  const header = ['episodes', 'count', 'p50', 'p95', 'longest', 'at', 'its thread'];
  return [
    ...alignedTable(header, cells, (column) => column > 0 && column < 6),
    '\nWhere the time of the longest ones went:\n',
    ...found.map(({ longest: { utid, ts, te } }) => {
      const tid = names.get(utid)?.tid ?? 0;
      return `  outrank explain ${shellWord(path)} --thread ${tid} --from ${ts} --to ${te}\n`;
    }),
  ];
}

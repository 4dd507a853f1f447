import { fsum, group, max, min } from 'd3';
import { dataOf, traceRow, readRows } from '../../tables/index.ts';
import { nullIf, type Draw, type DrawnRow } from './draw.ts';

const WORDS: Readonly<Record<string, string>> = {
  lost_events: 'events dropped',
  lost_buffers: 'buffers dropped',
  truncated: 'end cut off with the file',
  damaged_buffer: 'damaged buffer',
  bad_event: 'event that cannot be read',
  bad_time: 'clock that cannot be right',
};

export const lostEvents: Draw = async ({ query }, threshold) => {
  const { tables } = dataOf(query);
  const about = await traceRow(tables, ['dur_ns', 'cpu_count']);
  if (about === null) return [];
  const gaps = (await readRows(tables, 'etw_loss', ['ts', 'dur', 'cpu', 'kind', 'count'])).map((row) => {
    const [ts, dur] = [Number(row.ts), Number(row.dur)];
    // What is only known of the whole recording was lost at some time of it.
    const gap_ns = row.cpu === null && dur >= Number(about.dur_ns) ? 0 : dur;
    const ofCpus = row.cpu === null ? 1 : 1 / Number(about.cpu_count);
    return { ts, te: ts + dur, kind: String(row.kind), count: row.count, gap_ns, ofCpus };
  });
  return [...group(gaps, ({ kind }) => kind)]
    .filter(([, own]) => own.length >= threshold)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, own]): DrawnRow => {
      const ts = min(own, (gap) => gap.ts) ?? 0;
      const counts = own.flatMap(({ count }) => (count === null ? [] : [Number(count)]));
      const gap_ns = own.reduce((sum, gap) => sum + gap.gap_ns, 0);
      return {
        ...{ ts, dur: (max(own, ({ te }) => te) ?? 0) - ts, utid: null, upid: null },
        seconds_lost: fsum(own, (gap) => gap.ofCpus * gap.gap_ns) / 1e9,
        gaps: own.length,
        what: WORDS[kind] ?? kind,
        events: counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0),
        gap_ns: nullIf(gap_ns, 0),
        unmeasured: gap_ns > 0 ? null : 'how long nothing was recorded is not known',
      };
    });
};

import type { Contrast, Contrasted } from '../../shared/contrast/index.ts';
import { SIDE_LABELS } from '../../shared/contrast/index.ts';
import { formatCount, formatDuration, formatShare } from '../../shared/model/index.ts';
import { alignedTable } from './rows.ts';

/** So many differences are printed: the others are in the JSON. */
const MOST_ROWS = 40;

/** What slow episodes have that ordinary ones have not, for a terminal. */
export function contrastText({ rows, ...contrast }: Contrast, title: string): string[] {
  const { count, p50_ns, p95_ns, slow, ordinary } = contrast;
  const about = `${formatCount(count)} episodes (${title}): p50 ${formatDuration(p50_ns)}, p95 ${formatDuration(p95_ns)}.\n`;
  if (rows.length === 0) return [about, 'No episode is longer than p95: there is nothing to compare.\n'];
  const group = (name: string, { count: all, divided, mean_ns }: Contrast['slow']) => {
    const some = divided < all ? `, ${formatCount(divided)} of them divided` : '';
    return `${name}: ${formatCount(all)}${some}; ${formatDuration(mean_ns)} on average.\n`;
  };
  const cells = rows
    .slice(0, MOST_ROWS)
    .map((row) => [
      signed(row.difference_ns),
      Number.isFinite(row.reach_ns) ? `± ${formatDuration(row.reach_ns)}` : 'one alone',
      row.is_sure ? 'yes' : 'no',
      ...[formatDuration(row.slow_ns), formatDuration(row.ordinary_ns)],
      ...[formatShare(row.slow_share), formatShare(row.ordinary_share)],
      ...[SIDE_LABELS[row.side], row.value],
    ]);
  const header = ['difference', '', 'sure', 'slow', 'ordinary', 'slow with it', 'ordinary with it', 'by', ''];
  const left = rows.length - cells.length;
  return [
    about,
    group('Slow, above p95', slow),
    `${group('Ordinary, up to p50', ordinary)}\n`,
    ...alignedTable(header, cells, (column) => column < 2 || (column > 2 && column < 7)),
    ...(left > 0 ? [`\n${formatCount(left)} smaller differences are in --format json.\n`] : []),
  ];
}

/** With its sign. */
function signed(ns: Contrasted['difference_ns']): string {
  return `${ns < 0 ? '−' : '+'}${formatDuration(Math.abs(ns))}`;
}

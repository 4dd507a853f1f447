import { EPISODE_TITLES } from '../../shared/causes/index.ts';
import type { Contrast } from '../../shared/contrast/index.ts';
import { formatCount, formatDuration } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import {
  addLabel,
  barHit,
  chooseAndZoom,
  drawBand,
  drawHistogram,
  empty,
  HISTOGRAM_MARGINS,
  histogramScales,
  pageView,
  panel,
  picture,
  table,
  type Block,
  type Page,
  type Plot,
  rowChoice,
} from '../kit/index.ts';
import { loadContrast, loadEpisodesView, type EpisodeRow, type EpisodesModel } from './load.ts';
import { params, recording } from './params.ts';
import { episodesTables, LISTED_DIFFERENCES } from './tables.ts';
import sql from './query.sql';

type Context = ViewContext<typeof params>;

const HISTOGRAM_PX = 210;
const TABLE_PX = 230;
const NS_PER_MS = 1_000_000;

/** How long did what users wait for take, and what made the slow ones slow? */
export const episodes = pageView({
  id: 'episodes',
  title: 'Episodes',
  question: 'How long did what users wait for take, and what made the slow ones slow?',
  sql,
  params,
  modules: ['etw.focus', 'etw.image', 'etw.ready_wait'],
  recording,
  load: loadEpisodesView,
  later: { modules: ['etw.io'], load: loadContrast },
  tables: episodesTables,
  page,
});

function page(model: EpisodesModel, context: Context): Page {
  const { kinds, kind, episodes: longest } = model;
  if (kinds.length === 0)
    return [
      empty(
        'No episodes here',
        'Nothing that users wait for began and ended in this range, as far as is recorded.',
      ),
    ];
  const [kindTable, longestTable, contrastTable] = episodesTables(model);
  if (kindTable === undefined || longestTable === undefined || contrastTable === undefined) return [];
  const choose = (episode: EpisodeRow) => chooseAndZoom(context, { ...episode, ...episode.thread });
  const [all, shown] = [kinds.find((each) => each.kind === kind)?.count ?? 0, longest.length];
  const cut = shown < all ? `the longest ${formatCount(shown)} of ${formatCount(all)}; ` : '';
  return [
    panel('By kind', 'choose one to show its episodes', [
      table(kindTable, {
        chosen: kinds.findIndex((each) => each.kind === kind),
        follows: false,
        choose: rowChoice(kinds, (chosen) => context.setParams({ kind: chosen.kind, ...NO_GROUPS })),
      }),
    ]),
    ...(kind === null
      ? [empty('No episodes of this kind here', 'The list above has the kinds that this range has.')]
      : [
          lengthsPanel(model, context),
          panel(
            contrastTable.title,
            contrastWords(model.contrast),
            contrastTable.rows.length > 0 ? [table(contrastTable, { follows: false })] : [],
            {
              table_px: TABLE_PX,
            },
          ),
          panel(
            `${longestTable.title}: ${EPISODE_TITLES[kind]}`,
            `${cut}choose one, then Explain a delay`,
            [table(longestTable, { choose: rowChoice(longest, choose) })],
            { table_px: TABLE_PX },
          ),
        ]),
  ];
}

const NO_GROUPS = { slow_from_ms: null, slow_to_ms: null, ordinary_from_ms: null, ordinary_to_ms: null };

function lengthsPanel({ bars, kind, kinds, groups }: EpisodesModel, context: Context): Block {
  const sum = kinds.find((each) => each.kind === kind);
  const [p50_ns, p95_ns] = [sum?.p50_ns ?? 0, sum?.p95_ns ?? 0];
  const slow = groups.slow ?? { from_ns: p95_ns, to_ns: Infinity };
  const ordinary = groups.ordinary ?? { from_ns: 0, to_ns: p50_ns };
  const scaleOf = (plot: Plot) => histogramScales(bars, plot.width, plot.height).x;
  return panel('How long they took', 'drag across the slow ones, Shift + drag across the ordinary ones', [
    picture({
      label: 'How many episodes took how long. Slow from and Ordinary from above choose which are compared.',
      height_px: HISTOGRAM_PX,
      margins: HISTOGRAM_MARGINS,
      draw: (plot) => {
        const x = scaleOf(plot);
        const px = (ns: number) => (ns === Infinity ? plot.width : x(Math.max(1, ns)));
        for (const { from_ns, to_ns } of [ordinary, slow]) drawBand(plot, px(from_ns), px(to_ns));
        drawHistogram(plot, bars, [
          { label: 'p50', at_ns: p50_ns },
          { label: 'p95', at_ns: p95_ns },
        ]);
        for (const [text, { from_ns, to_ns }] of [
          ['ordinary', ordinary],
          ['slow', slow],
        ] as const)
          addLabel(plot, text, (px(from_ns) + px(to_ns)) / 2, 11, {
            color: plot.palette.text,
            at: 'middle',
            size_px: 10.5,
          })
            .attr('stroke', plot.palette.background)
            .attr('stroke-width', 3)
            .attr('paint-order', 'stroke');
      },
      at: (point) => barHit(bars, point, ['episode', 'episodes']),
      cover: (from, to, hasShift) => {
        const ms = (px: number) => Number((scaleOf(from.plot).invert(px) / NS_PER_MS).toPrecision(4));
        const [from_ms, to_ms] = [ms(from.x), ms(to.x)];
        context.setParams(
          hasShift
            ? { ordinary_from_ms: from_ms, ordinary_to_ms: to_ms }
            : { slow_from_ms: from_ms, slow_to_ms: to_ms },
        );
      },
    }),
  ]);
}

function contrastWords(contrast: Contrast | null): string {
  if (contrast === null) return 'the slow episodes are being compared with the ordinary ones';
  const { slow, ordinary, rows } = contrast;
  if (slow.count === 0) return 'no episode is slow: there is nothing to compare';
  if (ordinary.count === 0) return 'no episode is ordinary: there is nothing to compare';
  const group = (name: string, { count, divided, mean_ns }: Contrast['slow']) => {
    const some = divided < count ? `, ${formatCount(divided)} of them divided` : '';
    return `${formatCount(count)} ${name}${some}, ${formatDuration(mean_ns)} on average`;
  };
  const cut =
    rows.length > LISTED_DIFFERENCES
      ? `; the first ${LISTED_DIFFERENCES} of ${formatCount(rows.length)} differences`
      : '';
  return `${group('slow', slow)}; ${group('ordinary', ordinary)}${rows.length === 0 ? '; they do not differ' : cut}`;
}

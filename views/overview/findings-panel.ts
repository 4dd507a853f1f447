import * as d3 from 'd3';
import type { Finding } from '../../shared/findings/index.ts';
import { formatDuration, formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { own, panel, remarks, stillPalette, type Block, type StillPage } from '../kit/index.ts';
import type { OverviewModel } from './model.ts';
import type { params } from './params.ts';
import { findingWords } from './words.ts';

type Context = ViewContext<typeof params>;

/** What the rules found, each a button that opens its proof. */
export function findingsPanel(model: OverviewModel, context: Context): Block {
  const { later } = model;
  const blocks =
    later === null
      ? [remarks(['The rules run when their tables are built.'])]
      : [
          own(
            (parent) => drawFindings(parent, later.findings, model.origin_ns, context),
            (still) => writeFindings(still, later.findings.findings),
          ),
        ];
  return panel('Findings', findingWords(model), blocks, { className: 'findings' });
}

type Found = NonNullable<OverviewModel['later']>['findings'];

function drawFindings(
  parent: HTMLElement,
  { findings, checked, failed }: Found,
  origin_ns: number,
  context: Context,
): () => void {
  const items = d3.select(parent).append('ol').selectAll('li').data(findings).join('li');
  const buttons = items
    .append('button')
    .attr('type', 'button')
    .attr('title', ({ rule }) => checked.find(({ id }) => id === rule)?.matters ?? '')
    .on('click', (_, finding) => openProof(finding, context));
  buttons
    .append('span')
    .attr('class', 'lost')
    .text(({ seconds_lost }) => formatDuration(seconds_lost * 1e9));
  const words = buttons.append('span').attr('class', 'words');
  const heading = words.append('span').attr('class', 'title');
  heading.append('strong').text(({ title }) => title);
  heading
    .append('span')
    .attr('class', 'when')
    .text(({ where }) => `at ${formatTime(where.span.start, origin_ns)}`);
  words
    .append('span')
    .attr('class', 'sentence')
    .text(({ sentence }) => sentence);
  buttons.append('span').attr('class', 'go').attr('aria-hidden', 'true').text('›');
  const clean = checked.filter(({ found }) => found === 0).map(({ title }) => title.toLowerCase());
  if (clean.length > 0)
    d3.select(parent)
      .append('p')
      .text(`Looked for and not found: ${clean.join(', ')}.`);
  for (const { message } of failed) d3.select(parent).append('p').attr('class', 'failed').text(message);
  return () => undefined;
}

function openProof({ proof }: Finding, context: Context): void {
  context.select(proof.selection);
  context.zoomTo(proof.range);
  context.openView(proof.view, proof.params);
}

function writeFindings(still: StillPage, findings: readonly Finding[]): void {
  for (const { seconds_lost, title, sentence } of findings) {
    still.text(`${formatDuration(seconds_lost * 1e9)}  ${title}`, { gap: 4 });
    still.text(sentence, { color: stillPalette.muted });
  }
}

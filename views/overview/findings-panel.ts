import * as d3 from 'd3';
import { timeLost, type Finding, type Story } from '../../shared/findings/index.ts';
import { formatTime } from '../../shared/model/index.ts';
import type { ViewContext } from '../../shared/view/index.ts';
import { own, panel, remarks, stillPalette, type Block, type StillPage } from '../kit/index.ts';
import type { OverviewModel } from './model.ts';
import type { params } from './params.ts';
import { findingWords } from './words.ts';

type Context = ViewContext<typeof params>;

/** What the rules found, each a button that opens its proof. */
export function findingsPanel(model: OverviewModel, context: Context): Block {
  const { findings } = model;
  const blocks =
    findings === null
      ? [remarks(['The rules are running.'])]
      : [
          own(
            (parent) => drawFindings(parent, findings, model.origin_ns, context),
            (still) => writeFindings(still, findings),
          ),
        ];
  return panel('Findings', findingWords(model), blocks, { className: 'findings' });
}

type Found = NonNullable<OverviewModel['findings']>;

function drawFindings(
  parent: HTMLElement,
  { findings, stories, checked, failed }: Found,
  origin_ns: number,
  context: Context,
): () => void {
  const told = stories.flatMap((story) => {
    const head = findings[story.finding];
    return head === undefined ? [] : [{ ...head, sentence: story.sentence, story }];
  });
  const items = d3.select(parent).append('ol').selectAll('li').data(told).join('li');
  const buttons = items
    .append('button')
    .attr('type', 'button')
    .attr('title', ({ rule }) => checked.find(({ id }) => id === rule)?.matters ?? '')
    .on('click', (_, finding) => openProof(finding, context));
  buttons.append('span').attr('class', 'lost').text(timeLost);
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
  items
    .filter(({ story }) => story.explains.length > 0)
    .append('details')
    .each(function ({ story }) {
      drawExplained(this, story, findings, context);
    });
  const clean = checked.filter(({ found }) => found === 0).map(({ title }) => withinSentence(title));
  if (clean.length > 0)
    d3.select(parent)
      .append('p')
      .text(`Looked for and not found: ${clean.join(', ')}.`);
  for (const { message } of failed) d3.select(parent).append('p').attr('class', 'failed').text(message);
  return () => undefined;
}

/** A title as it stands within a sentence: without its capital, unless that begins an abbreviation. */
function withinSentence(title: string): string {
  return title.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase());
}

/** What a story explains, each a button that opens its proof. */
function drawExplained(
  parent: HTMLDetailsElement,
  { explains }: Story,
  findings: readonly Finding[],
  context: Context,
): void {
  const under = explains.flatMap((place) => findings[place] ?? []);
  const details = d3.select(parent);
  details.append('summary').text(`It explains ${under.length} more`);
  details
    .append('ul')
    .selectAll('li')
    .data(under)
    .join('li')
    .append('button')
    .attr('type', 'button')
    .text(({ title, sentence }) => `${title}: ${sentence}`)
    .on('click', (_, finding) => openProof(finding, context));
}

function openProof({ proof }: Finding, context: Context): void {
  context.select(proof.selection);
  context.zoomTo(proof.range);
  context.openView(proof.view, proof.params);
}

function writeFindings(still: StillPage, { findings, stories }: Found): void {
  for (const { finding, sentence } of stories) {
    const head = findings[finding];
    if (head === undefined) continue;
    still.text(`${timeLost(head)}  ${head.title}`, { gap: 4 });
    still.text(sentence, { color: stillPalette.muted });
  }
}

import { timeLost, type ToldFindings } from '../../shared/findings/index.ts';
import { formatCount, formatDuration, formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';

const STYLE = `
  :root { color-scheme: light dark; --line: #dfe3e9; --muted: #596273; --accent: #4a4fd0; --ground: #f4f5f7; --surface: #fff; }
  @media (prefers-color-scheme: dark) {
    :root { --line: #252a33; --muted: #9ca5b4; --accent: #9a9dff; --ground: #0d0f13; --surface: #14171d; }
  }
  body { max-width: 920px; margin: 40px auto; padding: 0 20px; background: var(--ground);
    font: 14px/1.5 Inter, 'Segoe UI', system-ui, sans-serif; }
  h1 { font-size: 24px; letter-spacing: -0.02em; margin: 0; }
  h2 { font-size: 16px; margin: 32px 0 8px; }
  p { margin: 2px 0; }
  .muted, dd { color: var(--muted); }
  article { display: grid; grid-template-columns: 92px 1fr; gap: 4px 16px; margin: 10px 0; padding: 14px 16px;
    border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
  article > strong { font-size: 17px; text-align: right; font-variant-numeric: tabular-nums; }
  h3 { margin: 0; font-size: 15px; }
  details { margin-top: 6px; color: var(--muted); }
  summary { cursor: pointer; color: var(--accent); }
  dl { margin: 0; } dt { margin-top: 8px; font-weight: 600; } dd { margin: 0; }
  @media print { details > * { display: block; } }
`;

/** The findings as one page that holds all it needs and runs no script. */
export async function findingsPage(name: string, found: ToldFindings, whole: TimeRange): Promise<string> {
  // Loaded here alone, since few commands need a DOM.
  const { parseHTML } = await import('linkedom');
  const { document } = parseHTML('<!doctype html><html lang="en"><head></head><body></body></html>');
  const add = (parent: Element, tag: string, text = '', className = ''): Element => {
    const element = parent.appendChild(document.createElement(tag));
    if (text !== '') element.textContent = text;
    if (className !== '') element.className = className;
    return element;
  };
  const { findings, stories, checked, not_checked, failed } = found;
  add(document.head, 'meta').setAttribute('charset', 'utf-8');
  const policy = add(document.head, 'meta');
  policy.setAttribute('http-equiv', 'Content-Security-Policy');
  policy.setAttribute('content', "default-src 'none'; style-src 'unsafe-inline'");
  add(document.head, 'title', `Findings in ${name}`);
  add(document.head, 'style', STYLE);
  add(document.body, 'h1', `Findings in ${name}`);
  const count = stories.length === 1 ? 'One story' : `${formatCount(stories.length)} stories`;
  const length = formatDuration(whole.end - whole.start);
  add(
    document.body,
    'p',
    `${count} in a recording of ${length}, by the seconds that the user lost at most.`,
    'muted',
  );
  for (const { finding, sentence, explains, rests_on, not_said, would_decide } of stories) {
    const head = findings[finding];
    if (head === undefined) continue;
    const { rule, title, where } = head;
    const article = add(document.body, 'article');
    add(article, 'strong', timeLost(head));
    const body = add(article, 'div');
    add(body, 'h3', title);
    add(body, 'p', sentence);
    const { start, end } = where.span;
    add(body, 'p', `${formatTime(start, whole.start)} to ${formatTime(end, whole.start)}`, 'muted');
    const under = explains.flatMap((place) => findings[place] ?? []);
    if (under.length > 0) {
      const folded = add(body, 'details');
      add(folded, 'summary', `It explains ${formatCount(under.length)} more`);
      for (const each of under) add(folded, 'p', `${each.title}, ${timeLost(each)}: ${each.sentence}`);
    }
    const about = checked.find(({ id }) => id === rule);
    if (about === undefined) continue;
    const details = add(body, 'details');
    add(details, 'summary', 'What this means');
    add(details, 'p', about.means);
    add(details, 'p', about.matters);
    add(details, 'p', `Bound: ${about.threshold}. ${about.source}.`);
    add(details, 'p', `Seconds lost: ${about.lost}`);
    for (const line of rests_on) add(details, 'p', line);
    for (const line of not_said) add(details, 'p', `It does not say: ${line}`);
    for (const line of would_decide) add(details, 'p', line);
  }
  const list = (heading: string, entries: readonly (readonly [string, string])[]) => {
    if (entries.length === 0) return;
    add(document.body, 'h2', heading);
    const items = add(document.body, 'dl');
    for (const [term, text] of entries) {
      add(items, 'dt', term);
      add(items, 'dd', text);
    }
  };
  list(
    'Found nothing',
    checked.filter((rule) => rule.found === 0).map(({ title, means }) => [title, means]),
  );
  list(
    'Not checked',
    not_checked.map(({ title, needs }) => [title, `It needs ${needs.join('; and ')}.`]),
  );
  list(
    'Rules that failed',
    failed.map(({ id, message }) => [id, message]),
  );
  return `<!doctype html>\n${document.documentElement.outerHTML}\n`;
}

import { writeHandle } from '../../shared/causes/index.ts';
import { timeLost, type Finding, type Story, type ToldFindings } from '../../shared/findings/index.ts';
import { formatTime } from '../../shared/model/index.ts';
import type { TimeRange } from '../../shared/view/index.ts';
import { shellWord } from './shell-word.ts';

/** The findings for a terminal, each with the command that shows its proof. Control characters are shown as blanks. */
export function* findingsText(path: string, found: ToldFindings, whole: TimeRange): Iterable<string> {
  const { findings, stories, checked, not_checked, failed } = found;
  const lines: string[] = [];
  for (const story of stories) lines.push(...storyLines(path, findings, story, whole), '');
  if (findings.length === 0) lines.push('No rule found anything.', '');
  const clean = checked.filter((rule) => rule.found === 0).map(({ title }) => title);
  const cut = checked
    .filter(({ more }) => more)
    .map(({ title, found }) => `${title} (the ${found} worst are listed)`);
  if (cut.length > 0) lines.push(`Found more than is listed: ${cut.join(', ')}.`);
  if (clean.length > 0) lines.push(`Found nothing: ${clean.join(', ')}.`);
  for (const { title, needs } of not_checked)
    lines.push(`Not checked: ${title}. It needs ${needs.join('; and ')}.`);
  for (const { message } of failed) lines.push(`Rule that failed: ${message}`);
  for (const line of lines) yield `${line.replace(/\p{Cc}/gu, ' ')}\n`;
}

const INDENT = ' '.repeat(11);

/** A story: its finding, what that explains, and what it rests on. */
function* storyLines(path: string, findings: readonly Finding[], story: Story, whole: TimeRange) {
  const head = findings[story.finding];
  if (head === undefined) return;
  yield* findingLines(path, { ...head, sentence: story.sentence }, whole);
  for (const place of story.explains) {
    const under = findings[place];
    if (under === undefined) continue;
    const handle = writeHandle({ kind: 'finding', number: place + 1 });
    yield `${INDENT}Explains ${handle}, ${under.title}, ${timeLost(under)}: ${under.sentence}`;
  }
  for (const line of story.rests_on) yield `${INDENT}${line}`;
  for (const line of story.not_said) yield `${INDENT}It does not say: ${line}`;
  for (const line of story.would_decide) yield `${INDENT}${line}`;
}

function findingLines(path: string, finding: Finding, whole: TimeRange) {
  const { title, where, sentence, proof } = finding;
  const { start, end } = where.span;
  const at =
    end > start
      ? `${formatTime(start, whole.start)} to ${formatTime(end, whole.start)}`
      : formatTime(start, whole.start);
  return [
    `${timeLost(finding).padStart(9)}  ${title}  (${at})`,
    `           ${sentence}`,
    `           ${proofCommand(path, proof)}`,
  ];
}

/** The command that prints the proof of a finding. */
function proofCommand(path: string, { view, params, range }: Finding['proof']): string {
  const given = Object.entries(params).flatMap(([name, value]) =>
    value === null ? [] : ['--param', shellWord(`${name}=${String(value)}`)],
  );
  return ['outrank view', view, shellWord(path), ...given, '--from', range.start, '--to', range.end].join(
    ' ',
  );
}

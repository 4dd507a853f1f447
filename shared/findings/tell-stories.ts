import { partition, sumUp, threadWithId, OWNER_LABELS } from '../causes/index.ts';
import type { Query } from '../engine/index.ts';
import { formatDuration, formatShare } from '../model/index.ts';
import { missingNeeds } from '../sql-file/index.ts';
import { dataOf } from '../tables/index.ts';
import { loadThreadNames, processLabel, threadLabel } from '../threads/index.ts';
import type { TimeRange } from '../view/index.ts';
import type { Culprit, Finding, Story, ToldFindings } from './finding.ts';
import { foldFindings } from './folding.ts';
import type { Rule } from './rule.ts';

/** So many release moments are walked back: each takes as long as the explanation of a delay. */
const MOST_WALKS = 5;
/** All threads of a release had been blocked for so long: who owns this time kept all of them waiting. */
const BEFORE_NS = 1e9;
/** Who owns less of that time is not named as the culprit. */
const LEAST_SHARE = 0.5;

/** Who made threads wait, and the words for it. */
interface Walked {
  readonly culprit: Culprit;
  readonly sentence: string;
  readonly rests_on: string;
}

/** Tells findings as stories: a finding stands under the one that explains it, and each story names its culprit first. */
export async function tellStories(
  query: Query,
  findings: readonly Finding[],
  rules: readonly Rule[],
  whole: TimeRange,
): Promise<Story[]> {
  const walked = new Map<Finding, Walked>();
  for (const finding of findings.filter(({ rule }) => rule === 'release-moment').slice(0, MOST_WALKS)) {
    const found = await walkBackFrom(query, finding, whole);
    if (found !== null) walked.set(finding, found);
  }
  const blamed = findings.map((finding) => ({
    finding,
    culprit: walked.get(finding)?.culprit ?? culpritOf(finding),
  }));
  const heads = foldFindings(blamed);
  const rootOf = (place: number): number => {
    let at = place;
    for (let head = heads[at] ?? null; head !== null; head = heads[at] ?? null) at = head;
    return at;
  };
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const stories: Story[] = [];
  for (const [place, { finding, culprit }] of blamed.entries()) {
    if (heads[place] !== null) continue;
    const walk = walked.get(finding);
    const rule = known.get(finding.rule);
    stories.push({
      finding: place,
      sentence: wordsOf(finding, culprit, walk),
      culprit,
      explains: [...heads.keys()].filter((at) => at !== place && rootOf(at) === place),
      rests_on: [
        ...(rule === undefined ? [] : [`${sentenceOf(rule.rests_on)} Bound: ${rule.threshold.text}.`]),
        ...(walk === undefined ? [] : [walk.rests_on]),
      ],
      not_said: rule?.not_said == null ? [] : [rule.not_said],
      would_decide: rule === undefined ? [] : await undecided(query, rule),
    });
  }
  return stories;
}

/** Recorded things in a sentence. */
function sentenceOf(names: readonly string[]): string {
  const all = names.length === 0 ? 'all events' : names.join(', ');
  return `It rests on ${all}.`;
}

async function undecided(query: Query, { decide }: Rule): Promise<string[]> {
  const missing = await missingNeeds(
    query,
    decide.map(({ need }) => need),
  );
  return decide
    .filter(({ need }) => missing.includes(need))
    .map(({ need, what }) => `To tell ${what}, record ${need.record}.`);
}

function culpritOf({ where }: Finding): Culprit | null {
  return where.tid === null && where.pid === null ? null : namesOf(where);
}

/** Walks back from a release: what the releasing thread itself had waited for. */
async function walkBackFrom(query: Query, finding: Finding, whole: TimeRange): Promise<Walked | null> {
  const { where, seconds_lost } = finding;
  const te = where.span.start;
  const ts = Math.max(whole.start, te - Math.round(seconds_lost * 1e9));
  if (where.tid === null || te <= ts) return null;
  const utid = await threadWithId(query, where.tid, { start: ts, end: te });
  if (utid === null) return null;
  const divided = await partition(query, { utid, ts, te });
  const from = Math.max(ts, te - BEFORE_NS);
  const before = divided.parts
    .filter((part) => part.te > from)
    .map((part) => ({ ...part, ts: Math.max(part.ts, from) }));
  const [last] = sumUp({ parts: before });
  if (last === undefined || last.sum_ns < LEAST_SHARE * (te - from)) return null;
  const first = sumUp(divided).find((sum) => sum.utid === last.utid && sum.owner === last.owner) ?? last;
  const name = (await loadThreadNames(dataOf(query).tables)).get(first.utid);
  if (name === undefined) return null;
  const culprit = namesOf(name);
  const share = `${formatDuration(first.sum_ns)} of the ${formatDuration(te - ts)}`;
  const waited = first.utid === utid ? '' : `, and ${culpritWords(where)} waited for it`;
  return {
    culprit,
    sentence: `${culpritWords(culprit)}: ${OWNER_LABELS[first.owner]} for ${share} before the release${waited}.`,
    rests_on: `The walk back from the release gives that thread ${formatShare(last.sum_ns / (te - from))} of the last ${formatDuration(te - from)}.`,
  };
}

function namesOf({ tid, thread, service, pid, process, services }: Culprit): Culprit {
  return { tid, thread, service, pid, process, services };
}

function culpritWords(culprit: Culprit): string {
  return culprit.tid === null ? processLabel(culprit) : threadLabel(culprit);
}

/** The words of a story: the culprit, and what the finding says. */
function wordsOf(finding: Finding, culprit: Culprit | null, walk: Walked | undefined): string {
  if (walk !== undefined) return `${walk.sentence} ${finding.sentence}`;
  const name = culprit?.process ?? null;
  const [first = ''] = finding.sentence.split(/\. /);
  if (culprit === null || name === null || first.includes(name)) return finding.sentence;
  return `${culpritWords(culprit)}: ${finding.sentence}`;
}

/** The findings that are chosen, and the stories whose finding or whose explained findings are among them. */
export function inSight(told: ToldFindings, isChosen: (finding: Finding) => boolean): ToldFindings {
  const stories = told.stories.filter(({ finding, explains }) =>
    [finding, ...explains].some((place) => told.findings.slice(place, place + 1).some(isChosen)),
  );
  const kept = [...told.findings.keys()].filter(
    (place) =>
      told.findings.slice(place, place + 1).some(isChosen) ||
      stories.some(({ finding }) => finding === place),
  );
  const placeOf = new Map(kept.map((place, at) => [place, at]));
  return {
    ...told,
    findings: kept.flatMap((place) => told.findings[place] ?? []),
    stories: stories.map((story) => ({
      ...story,
      finding: placeOf.get(story.finding) ?? 0,
      explains: story.explains.flatMap((place) => placeOf.get(place) ?? []),
    })),
  };
}

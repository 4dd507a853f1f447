import * as v from 'valibot';
import { loadAnchors, type Anchor } from '../../shared/compare/index.ts';
import { TableBuilder, type Query } from '../../shared/engine/index.ts';
import { dataOf } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { releaseMoments } from '../../views/release-moments/view.ts';

const time = v.pipe(v.number(), v.finite());
const anchoring = v.object({ whole: v.object({ start: time, end: time }), with_releases: v.boolean() });

/** The whole range of a trace, and whether releases are wanted too, which cost a pass over all waits. It may come from outside the process. */
export type AnchoringQuestion = v.InferOutput<typeof anchoring>;

/** So many releases are told. */
const RELEASES = 20;

/** The anchors of a trace in the order of time, then its releases, the one with most waiting first. */
export async function anchor(query: Query, question: unknown): Promise<Anchor[]> {
  const { whole, with_releases } = v.parse(anchoring, question);
  const modules = dataOf(query).hasColumns ? [] : ['etw.focus', 'etw.process'];
  const tables = new TableBuilder(query, () => undefined);
  await tables.need(with_releases ? [...modules, ...releaseMoments.modules] : modules);
  const anchors = await loadAnchors(query);
  if (!with_releases) return anchors;
  const params = readParams(releaseMoments.params, { limit: RELEASES });
  const { moments } = await releaseMoments.load(query, params, whole);
  return [...anchors, ...moments.map(({ ts }): Anchor => ({ kind: 'release', name: '', ts }))];
}

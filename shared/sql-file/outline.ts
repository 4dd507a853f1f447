import { etwNamesIn, isInOutline, withoutIncludes } from '../sql/modules.ts';
import { relationsOf } from './relations.ts';

/** Relations that have the same rows, with the same keys, in an outline as in the whole trace. */
const SAME = new Set(['thread', 'process', 'trace_bounds', 'json_each', 'json_tree']);
/** Functions that reach what an outline has otherwise, or that change something. */
const OTHERWISE = /\b(?:extract_\w+|stack_from_\w+|experimental_\w+)\b/i;

/**
 * Whether a trace's outline, with its columns, gives for `sql` what the whole trace gives: it is one SELECT, and reads of the
 * package `etw` alone, and nothing of that which takes more. Modules of the package may be included before it.
 */
export function outlineAnswers(sql: string): boolean {
  if (OTHERWISE.test(sql)) return false;
  const names = etwNamesIn(sql);
  if (!names.every(isInOutline)) return false;
  const relations = relationsOf(withoutIncludes(sql));
  return relations !== null && [...relations].every((name) => SAME.has(name) || names.includes(name));
}

import * as v from 'valibot';
import { lakeFilter, type LakeAsk, type LakeFilter } from '../../../shared/lake/index.ts';
import { readParams, type ParamSpecs, type ParamValues } from '../../../shared/view/index.ts';

/** By what an answer is parted: `model`, `machine`, `os_build`, or `tag.NAME`; null for not at all. */
export type Split = string | null;

/** What the page asks. */
export interface Asked {
  readonly question: string;
  readonly params: LakeAsk['params'];
  readonly filter: LakeFilter;
  readonly split: Split;
}

const PARAM = 'param.';
/** Begins the name of a filter, and of a split, by a tag. */
export const TAG = 'tag.';

/** What an address asks; what of it is not understood is left out. */
export function readAsked(fragment: string, first: string): Asked {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const after = (prefix: string) =>
    [...fields].flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    );
  const one = (name: string) => fields.get(name) ?? undefined;
  const os_build = one('os_build');
  const tags = after(TAG);
  const given = {
    ...{ machine: one('machine'), model: one('model'), from: one('from'), to: one('to') },
    ...{ os_build: os_build === undefined ? undefined : Number(os_build) },
    ...{ tags: tags.length === 0 ? undefined : Object.fromEntries(tags) },
  };
  const filter = v.safeParse(lakeFilter, given);
  return {
    question: one('question') ?? first,
    params: Object.fromEntries(after(PARAM)),
    filter: filter.success ? withoutNothing(filter.output) : {},
    split: one('split') ?? null,
  };
}

/** A filter without what is not chosen: only then do two addresses of one filter look alike. */
export function withoutNothing({ tags = {}, ...others }: LakeFilter): LakeFilter {
  const defined = <T extends object>(of: T) =>
    Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as T;
  const chosen = defined(tags);
  return { ...defined(others), ...(Object.keys(chosen).length > 0 && { tags: chosen }) };
}

/** The address of what is asked. */
export function writeAsked({ question, params, filter, split }: Asked): string {
  const { tags = {}, ...others } = filter;
  const fields: (readonly [string, string | number | boolean | null | undefined])[] = [
    ['question', question],
    ...Object.entries(params).map(([name, value]) => [PARAM + name, value] as const),
    ...Object.entries(others),
    ...Object.entries(tags).map(([name, value]) => [TAG + name, value] as const),
    ['split', split],
  ];
  const said = fields.flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return `#${new URLSearchParams(said).toString()}`;
}

/** The values of a question's params: an address has texts. What is no value of a param is its default. */
export function valuesOf(specs: ParamSpecs, params: LakeAsk['params']): ParamValues<ParamSpecs> {
  const given = Object.entries(params).flatMap(([name, value]): [string, unknown][] => {
    const spec = specs[name];
    if (spec === undefined) return [];
    const read = typeof value === 'string' ? ofText(spec.type, value) : value;
    try {
      readParams({ [name]: spec }, { [name]: read });
      return [[name, read]];
    } catch {
      return [];
    }
  });
  return readParams(specs, Object.fromEntries(given));
}

function ofText(type: string, text: string): unknown {
  if (type === 'number') return Number(text);
  return type === 'flag' ? text === 'true' : text;
}

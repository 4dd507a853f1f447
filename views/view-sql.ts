import { bindSql, parametersOf, type Bindings } from '../shared/engine/index.ts';
import type { ParamSpec, ParamSpecs, ParamValues, TimeRange } from '../shared/view/index.ts';

/** What of a view its SQL is made from. */
export interface SqlView {
  /** The text of its `query.sql`. */
  readonly sql: string;
  readonly params: ParamSpecs;
}

type Value = ParamValues<ParamSpecs>[string];

/** A `query.sql` that cannot be right, whatever the params. */
export class ViewSqlError extends Error {
  override readonly name = 'ViewSqlError';
}

/** What follows a line that is kept for some values only: `-- if tid and no from_ns`, `-- if mode = dpc, isr`. */
const CONDITION = /\s*-- if (\w.*)$/;
/** `matches(:name, column, id(column), json(column), file(column))`. */
const MATCHES = /\bmatches\(:(\w+)((?:, (?:(?:id|json|file)\([^()]+\)|[^,()]+))+)\)/g;
const RANGE = ['range_start', 'range_end'];
const NS_PER_MS = 1_000_000;

/**
 * What a view shows of a range with some params, as SQL to go on from. A line of `query.sql` that names a parameter is kept where it is set:
 * views/README.md tells all of it. Throws a {@link ViewSqlError} for names that the view does not have.
 */
export function sqlOf(view: SqlView, { start, end }: TimeRange, params: ParamValues<ParamSpecs>): string {
  paramsIn(view);
  const valueOf = (name: string): Value => params[name] ?? view.params[name]?.default ?? null;
  const kept = view.sql.split('\n').flatMap((line) => {
    const isKept = conditionsOf(line).every((condition) => holds(condition, view.params, valueOf));
    const names = [...parametersOf(line).keys()].map((name) => paramOf(view.params, name) ?? name);
    const areSet = names.every((name) => RANGE.includes(name) || isSet(view.params[name], valueOf(name)));
    return isKept && areSet ? [line.replace(CONDITION, '')] : [];
  });
  const sql = kept
    .join('\n')
    .replace(MATCHES, (_, name: string, among: string) => matching(String(valueOf(name)), among));
  const bindings: Bindings = Object.fromEntries(
    [...parametersOf(sql).keys()].map((name) => [name, boundTo(name, { start, end }, view.params, valueOf)]),
  );
  return bindSql(sql, bindings);
}

/** The params of a view that its SQL names. Throws a {@link ViewSqlError} for other names, and for values that a param does not take. */
export function paramsIn({ sql, params }: SqlView): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    const param = paramOf(params, name);
    if (param === null) throw new ViewSqlError(`query.sql names ${name}, which is no parameter of the view`);
    found.add(param);
    return params[param];
  };
  for (const name of parametersOf(sql).keys()) if (!RANGE.includes(name)) add(name);
  for (const { name, values } of sql.split('\n').flatMap(conditionsOf)) {
    const spec = add(name);
    const choices = spec?.type === 'choice' ? spec.choices : [];
    const unknown = values?.find((value) => !choices.includes(value));
    if (unknown !== undefined) throw new ViewSqlError(`query.sql: ${name} never is "${unknown}"`);
  }
  return found;
}

/** On what it depends, besides the names in it, whether a line is kept. */
interface Condition {
  readonly name: string;
  /** The values for which it is kept; null where it is only asked whether it is set. */
  readonly values: readonly string[] | null;
  readonly isNot: boolean;
}

function conditionsOf(line: string): readonly Condition[] {
  const all = CONDITION.exec(line)?.[1]?.split(' and ') ?? [];
  return all.map((text) => {
    const [, no, name = text, listed] = /^(no )?(\w+)(?: = (.+))?$/.exec(text) ?? [];
    return { name, values: listed?.split(', ') ?? null, isNot: no !== undefined };
  });
}

function holds(
  { name, values, isNot }: Condition,
  specs: ParamSpecs,
  valueOf: (name: string) => Value,
): boolean {
  const value = valueOf(name);
  return (values === null ? isSet(specs[name], value) : values.includes(String(value))) !== isNot;
}

/** The param that a name in SQL stands for: `at_least_ns` is that of `at_least_ms`. Null where there is none. */
function paramOf(params: ParamSpecs, name: string): string | null {
  if (Object.hasOwn(params, name)) return name;
  const inMs = name.replace(/_ns$/, '_ms');
  return inMs !== name && Object.hasOwn(params, inMs) ? inMs : null;
}

/** Whether a value asks for something. The first choice, and a 0 that is the default, ask for nothing. */
function isSet(spec: ParamSpec | undefined, value: Value): boolean {
  if (value === null || value === '' || value === false) return false;
  if (spec?.type === 'choice') return value !== spec.default;
  return value !== 0 || spec?.default !== 0;
}

function boundTo(
  name: string,
  { start, end }: TimeRange,
  params: ParamSpecs,
  valueOf: (name: string) => Value,
): number | string {
  if (name === 'range_start') return start;
  if (name === 'range_end') return end;
  const param = paramOf(params, name) ?? name;
  const value = valueOf(param);
  // Ids, ranks and numbers of rows are whole, and so are ns.
  if (typeof value === 'number') return Math.round(param === name ? value : value * NS_PER_MS);
  return String(value);
}

/** That one of some columns has a text in it, whatever the case of its letters, or that one of some ids is that number. */
function matching(text: string, among: string): string {
  const isId = /^(?:0|[1-9]\d*)$/.test(text);
  const tests = among
    .split(', ')
    .slice(1)
    .flatMap((each) => {
      const [, how, column = each] = /^(id|json|file)\((.+)\)$/.exec(each) ?? [];
      if (how === 'id') return isId ? [`${column} = ${text}`] : [];
      // JSON writes quotes, backslashes and control characters in another way.
      const wanted = patternOf(how === 'json' ? JSON.stringify(text).slice(1, -1) : text);
      return [`${how === 'file' ? fileOf(column) : column} LIKE ${wanted}`];
    });
  return tests.length === 1 ? tests.join('') : `(${tests.join(' OR ')})`;
}

/** What stands behind the last backslash of a path. */
const fileOf = (column: string) =>
  `substr(${column}, length(rtrim(${column}, replace(${column}, '\\', ''))) + 1)`;

/** The pattern of all that contains a text, as a literal. */
function patternOf(text: string): string {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  const literal = bindSql(':pattern', { pattern: `%${escaped}%` });
  return escaped === text ? literal : `${literal} ESCAPE '\\'`;
}

import { etwModules } from './index.ts';

const INCLUDES = /^INCLUDE PERFETTO MODULE ([\w.]+);/gm;
const CREATES = /^CREATE (?:PERFETTO )?(?:TABLE|VIEW|FUNCTION|MACRO) (\w+)/gm;
const NAMES = /\b_?etw_\w+/gi;

/** The module that defines each name of the package. */
const definedIn = new Map(
  etwModules.flatMap(({ name, sql }) => captured(sql, CREATES).map((defined) => [defined, name] as const)),
);

/** The modules `names` and all that they include, each after those that it includes. */
export function withIncluded(names: Iterable<string>): readonly string[] {
  const wanted = new Set(names);
  // What includes comes after what it includes: one pass backward finds all.
  for (const { name, sql } of [...etwModules].reverse()) {
    if (wanted.has(name)) for (const included of captured(sql, INCLUDES)) wanted.add(included);
  }
  return etwModules.filter(({ name }) => wanted.has(name)).map(({ name }) => name);
}

/** The modules whose tables, views, functions and macros `sql` names. A name in a string or comment counts too. */
export function modulesNamedIn(sql: string): readonly string[] {
  const named = new Set((sql.match(NAMES) ?? []).map((name) => definedIn.get(name.toLowerCase())));
  return etwModules.filter(({ name }) => named.has(name)).map(({ name }) => name);
}

function captured(sql: string, pattern: RegExp): string[] {
  return [...sql.matchAll(pattern)].map(([, name = '']) => name);
}

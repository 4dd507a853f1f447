import { etwModules, type SqlModule } from './index.ts';
import lentProcessSql from './outline/process.sql';

const INCLUDE = /\bINCLUDE\s+PERFETTO\s+MODULE\s+(etw\.\w+)\s*;/gi;
const CREATES = /^CREATE (?:PERFETTO )?(?:TABLE|VIEW|FUNCTION|MACRO) (\w+)/gm;
/** A comment; or, as a group, all else: a mark of a comment within a text is none. */
const COMMENT_OR_NAME = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|('(?:[^']|'')*'?|"(?:[^"]|"")*"?|\w+)/g;
const NAMES = /\b_?etw_\w+/gi;

/** What an outline has nothing or not all of: generic events, scheduling, counters that are recorded with it, samples, stacks and images. */
const LEFT_OUT =
  /android_logs|__intrinsic_(?:sched|thread_state)|spurious_sched_wakeup|perf_sample|stack_profile_|'etw\.(?:counter|ideal_cpu|image|interrupt|run) ?[*[']/;

/** The table of an outline that has `etw_context_switch` without stacks, joined of columns. */
export const SWITCH_TABLE = '_etw_switch';

/** The table of an outline that tells how runs ended that began before its first switch, in columns. */
export const END_BEFORE_TABLE = '_etw_end_before';

/** The table of an outline that has changes of ranks: it is made of columns when SQL first needs it. */
export const RANK_CHANGE_TABLE = '_etw_rank_change';

/** The table of an outline that has `etw_run_counter` without the names of the counters, in columns. */
export const RUN_COUNTER_TABLE = '_etw_run_counter';

/** The table of an outline that has ready waits with the codes of their main reasons, which are given when SQL first needs these. */
export const REASON_CODE_TABLE = '_etw_ready_wait_reason_code';

/** Lent tables that say less than the package until ranks are judged. */
export const JUDGED_TABLES = ['etw_ready_wait', 'etw_ready_wait_long', 'etw_ready_wait_rank'] as const;

/** The tables that are columns where a trace's outline is loaded. */
const COLUMN_TABLES: ReadonlySet<string> = new Set([
  END_BEFORE_TABLE,
  RANK_CHANGE_TABLE,
  REASON_CODE_TABLE,
  RUN_COUNTER_TABLE,
  SWITCH_TABLE,
  ...JUDGED_TABLES,
  'etw_callsite',
  'etw_counter_source',
  'etw_cpu_time',
  'etw_disk_io',
  'etw_event_stack',
  'etw_file_io',
  'etw_focus',
  'etw_frame',
  'etw_frame_function',
  'etw_generic_event',
  'etw_hard_fault',
  'etw_image',
  'etw_input',
  'etw_interrupt',
  'etw_mapping',
  'etw_pmc_sample',
  'etw_ready_wait_rest',
  'etw_run',
  'etw_sample',
  'etw_suspend',
  'etw_thread_ideal_cpu',
]);

/** The module that defines each name of the package. */
const definedIn = new Map(
  etwModules.flatMap(({ name, sql }) => captured(sql, CREATES).map((defined) => [defined, name] as const)),
);

/** The names of the package that users may ask. */
export const publicNames: readonly string[] = [...definedIn.keys()].filter((name) => !name.startsWith('_'));

/** The modules `names` and all that they include, each after those that it includes. */
export function withIncluded(names: Iterable<string>): readonly string[] {
  const wanted = new Set(names);
  // What includes comes after what it includes: one pass backward finds all.
  for (const { name, sql } of [...etwModules].reverse()) {
    if (wanted.has(name)) for (const included of includedIn(sql)) wanted.add(included);
  }
  return etwModules.filter(({ name }) => wanted.has(name)).map(({ name }) => name);
}

/** The names in `sql` that are of the package or look so, in lower case. A name in a string counts too, one in a comment does not. */
export function etwNamesIn(sql: string): readonly string[] {
  const names = [...sql.matchAll(COMMENT_OR_NAME)].flatMap(([, name]) => name?.match(NAMES) ?? []);
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** The names of the package that `sql` reads, in it or behind its views. */
export function etwNamesBehind(sql: string): ReadonlySet<string> {
  const names = new Set(etwNamesIn(sql));
  // What is added to a set is visited too.
  for (const name of names) behindView.get(name)?.forEach((behind) => names.add(behind));
  return names;
}

/** The modules whose tables, views, functions and macros `sql` names. */
export function modulesNamedIn(sql: string): readonly string[] {
  const named = new Set(etwNamesIn(sql).map((name) => definedIn.get(name)));
  return etwModules.filter(({ name }) => named.has(name)).map(({ name }) => name);
}

/** A view of a module without comments: its name, its columns, and what it selects. */
const VIEW = /^CREATE PERFETTO VIEW (\w+)(?:\([^)]*\))? AS\b([^;]*)/gm;
/** The names that each view of the package selects from. */
const behindView = new Map(
  etwModules.flatMap(({ sql }) =>
    [...withoutComments(sql).matchAll(VIEW)].map(
      ([, name = '', select = '']) => [name, etwNamesIn(select)] as const,
    ),
  ),
);

/** The modules that build the same of a trace's outline, with scheduling in columns, as of the whole trace. */
const ofOutline = new Set<string>();
/** The modules that build a table which an outline has as columns, and those that need more of it than that table. */
const ofColumns = new Set<string>();
for (const { name, sql } of etwModules) {
  const isThere = (each: string): boolean => {
    const module = definedIn.get(each) ?? name;
    return COLUMN_TABLES.has(each) || module === name || ofOutline.has(module);
  };
  const makesColumns = captured(sql, CREATES).some((defined) => COLUMN_TABLES.has(defined));
  const isOfOutline = !makesColumns && !LEFT_OUT.test(sql) && etwNamesIn(sql).every(isThere);
  if (isOfOutline) ofOutline.add(name);
  else if (makesColumns || includedIn(sql).some((each) => ofColumns.has(each))) ofColumns.add(name);
}

/** What stands in an outline in the place of the tables that a module builds, and of their indexes. */
const LENT: Readonly<Record<string, string>> = { 'etw.process': lentProcessSql };
/** A table that a module builds, or an index of one. */
const BUILT = /^CREATE PERFETTO (?:TABLE|INDEX)\b[^;]*;/gm;

/** The package `etw` for an outline: its modules include none that would hide the columns. */
export const outlineModules: readonly SqlModule[] = etwModules.map(({ name, sql }) => {
  if (!ofOutline.has(name)) return { name, sql };
  const lent = LENT[name];
  const over = overLentTables(withoutIncludes(sql, hidesColumns));
  return { name, sql: lent === undefined ? over : `${lent}\n${over.replace(BUILT, '')}` };
});

/** SQL whose views of lent tables are temporary ones: SQLite lets no other view reach another database. */
function overLentTables(sql: string): string {
  return withoutComments(sql).replace(VIEW, (view, name: string, select: string) =>
    etwNamesIn(select).some((each) => COLUMN_TABLES.has(each))
      ? `CREATE TEMP VIEW ${name} AS${select}`
      : view,
  );
}

function withoutComments(sql: string): string {
  return sql.replace(/--[^\n]*/g, '');
}

/** The modules of the package that `sql` includes, in lower case. */
export function includedIn(sql: string): readonly string[] {
  return captured(sql, INCLUDE).map((name) => name.toLowerCase());
}

/** SQL with blanks in place of the statements that include modules of the package, or those of them that `goes` takes. */
export function withoutIncludes(sql: string, goes: (module: string) => boolean = () => true): string {
  return sql.replace(INCLUDE, (statement, module: string) =>
    goes(module.toLowerCase()) ? statement.replace(/[^\n]/g, ' ') : statement,
  );
}

/** Whether a module would hide the columns of an outline behind tables that are empty there. */
export function hidesColumns(module: string): boolean {
  return ofColumns.has(module);
}

/** Whether a name of the package is the same in an outline with its columns as in the whole trace. So is a name that the package has not. */
export function isInOutline(name: string): boolean {
  const module = definedIn.get(name);
  return module === undefined || COLUMN_TABLES.has(name) || ofOutline.has(module);
}

function captured(sql: string, pattern: RegExp): string[] {
  return [...sql.matchAll(pattern)].map(([, name = '']) => name);
}

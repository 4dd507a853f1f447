import { parametersOf } from '../engine/index.ts';
import {
  parseSqlFile,
  readNeed,
  soleSelect,
  SqlFileError,
  type Header,
  type Need,
} from '../sql-file/index.ts';
import type { ParamSpecs, ViewColumn } from '../view/index.ts';
import { readClick, type Click } from './click.ts';
import { readColumns } from './columns.ts';
import { readDrawing, type Drawing } from './drawing.ts';
import { readParamSpecs } from './params.ts';

/** A panel as it was written: the name of its file, and the text. */
export interface PanelFile {
  readonly name: string;
  readonly text: string;
}

/** A panel: a question in SQL, and how its rows are drawn. */
export interface Panel {
  /** The file's name without its ending. */
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly description: string;
  /** What it asks: the tables of one trace, or those of a lake of many (docs/lake.md). */
  readonly over: 'trace' | 'lake';
  readonly params: ParamSpecs;
  readonly needs: readonly Need[];
  /** Modules of PerfettoSQL that are included before the SELECT runs. */
  readonly includes: readonly string[];
  readonly drawing: Drawing;
  /** What is said of columns, by name. */
  readonly columns: ReadonlyMap<string, Pick<ViewColumn, 'kind' | 'help'>>;
  readonly click: Click | null;
  readonly select: string;
  /** The whole file. */
  readonly text: string;
  /** The parameters that the SELECT names. */
  readonly uses: ReadonlySet<string>;
}

/** Parameters that every panel can name: what the user looks at. What is not chosen is null. */
export const GIVEN = {
  range_start: 'where the range in view starts, in ns on the trace clock',
  range_end: 'where it ends',
  bucket_ns: 'a round length of time that cuts the range in view into 100 to 250 parts, in ns',
  trace_start: 'where the recording starts, in ns on the trace clock',
  trace_end: 'where it ends',
  cpu_count: 'how many CPUs the computer has',
  span_start: 'where the chosen span starts, in ns on the trace clock',
  span_end: 'where it ends',
  tid: 'the id of the chosen thread',
  thread_ts: 'an instant at which the chosen thread was alive: ids are used again',
  utid: 'the key of the chosen thread in this load',
  pid: 'the id of the chosen process',
} as const;

/** Those of {@link GIVEN} that change with what is chosen. */
const OF_SELECTION = ['span_start', 'span_end', 'tid', 'thread_ts', 'utid', 'pid'];
/** Those that change with the range in view. */
const OF_RANGE = ['range_start', 'range_end', 'bucket_ns'];

const KEYS = ['title', 'description', 'over', 'param', 'needs', 'include', 'draw', 'column', 'click'];
/** Keys that say something of one trace. */
const KEYS_OF_TRACE = ['needs', 'include', 'click'];
const FILE = /^([a-z0-9][a-z0-9-]{0,55})\.panel\.sql$/;
const MODULE = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;

/** The ending of a panel's file. */
export const PANEL_ENDING = '.panel.sql';

/** Reads a panel; throws a {@link SqlFileError} for a file that is none. */
export function readPanel({ name, text }: PanelFile): Panel {
  const [, id] = FILE.exec(name) ?? [];
  if (id === undefined)
    throw new SqlFileError(
      name,
      null,
      `the name of a panel is small letters, digits and - before ${PANEL_ENDING}, 56 at most`,
    );
  const file = parseSqlFile(name, text);
  const { header } = file;
  header.only(KEYS);
  const over = readOver(header);
  const given = over === 'lake' ? [] : Object.keys(GIVEN);
  const params = readParamSpecs(header, Object.keys(GIVEN));
  const select = soleSelect(file);
  return {
    id,
    file: name,
    title: header.one('title').value,
    description: header.one('description').value,
    over,
    params,
    needs: header.all('needs').map((entry) => readNeed(header, entry)),
    includes: readIncludes(header),
    drawing: readDrawing(header),
    columns: readColumns(header),
    click: readClick(header),
    select,
    text,
    uses: readUses(name, select, params, given),
  };
}

/** Whether a panel's rows change with the range in view. */
export function followsRange({ uses }: Panel): boolean {
  return OF_RANGE.some((name) => uses.has(name));
}

/** Whether a panel's rows change with what is chosen. */
export function followsSelection({ uses }: Panel): boolean {
  return OF_SELECTION.some((name) => uses.has(name));
}

function readOver(header: Header): Panel['over'] {
  const entry = header.optional('over');
  if (entry === null) return 'trace';
  if (entry.value !== 'lake' && entry.value !== 'trace') throw header.refusal(entry, 'takes trace or lake');
  if (entry.value === 'trace') return 'trace';
  const [other] = KEYS_OF_TRACE.flatMap((key) => header.all(key));
  if (other !== undefined) throw header.refusal(other, 'says something of one trace, and a lake has many');
  return 'lake';
}

function readIncludes(header: Header): readonly string[] {
  return header.all('include').map((entry) => {
    if (MODULE.test(entry.value)) return entry.value;
    throw header.refusal(entry, 'takes the name of a module, such as "slices.with_context"');
  });
}

function readUses(
  name: string,
  select: string,
  params: ParamSpecs,
  given: readonly string[],
): ReadonlySet<string> {
  const used = parametersOf(select);
  for (const [parameter, offset] of used) {
    if (Object.hasOwn(params, parameter) || given.includes(parameter)) continue;
    const line = select.slice(0, offset).split('\n').length;
    const known = [...Object.keys(params), ...given].join(', ');
    throw new SqlFileError(name, line, `no parameter :${parameter}: there are ${known}`);
  }
  const unused = Object.keys(params).find((each) => !used.has(each));
  if (unused !== undefined)
    throw new SqlFileError(name, null, `the SELECT does not use the parameter :${unused}`);
  return new Set(used.keys());
}

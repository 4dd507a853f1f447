/** The tables that come in columns; their columns are described in docs/schema.md. */
export const TABLE_NAMES = [
  'etw_callsite',
  'etw_counter_source',
  'etw_cpu',
  'etw_cpu_time',
  'etw_disk_io',
  'etw_event_count',
  'etw_event_shape',
  'etw_event_stack',
  'etw_file',
  'etw_file_io',
  'etw_focus',
  'etw_frame',
  'etw_frame_function',
  'etw_generic_event',
  'etw_hard_fault',
  'etw_image',
  'etw_input',
  'etw_interrupt',
  'etw_loss',
  'etw_mapping',
  'etw_pmc_sample',
  'etw_process',
  'etw_process_freeze',
  'etw_ready_wait',
  'etw_ready_wait_long',
  'etw_ready_wait_rest',
  'etw_ready_wait_stretch',
  'etw_run',
  'etw_run_before',
  'etw_run_counter',
  'etw_sample',
  'etw_service',
  'etw_suspend',
  'etw_thread',
  'etw_thread_affinity',
  'etw_thread_ideal_cpu',
  'etw_trace',
] as const;
/** Those that a cache has and no export: generic events, parted to take less room, and what spares who asks for a range the reading of all. */
export const CACHE_TABLES: readonly TableName[] = [
  'etw_event_shape',
  'etw_generic_event',
  'etw_ready_wait_stretch',
];
export type TableName = (typeof TABLE_NAMES)[number];

/** The modules of the package `etw` that make these tables in SQL, where the paths of `etw_file` are in the tables of requests. */
export const TABLE_MODULES: Readonly<Record<TableName, string>> = {
  etw_callsite: 'etw.stack',
  etw_counter_source: 'etw.counter',
  etw_cpu: 'etw.affinity',
  etw_cpu_time: 'etw.cpu',
  etw_disk_io: 'etw.io',
  etw_event_count: 'etw.trace',
  etw_event_shape: 'etw.generic_event',
  etw_event_stack: 'etw.stack',
  etw_file: 'etw.io',
  etw_file_io: 'etw.io',
  etw_focus: 'etw.focus',
  etw_frame: 'etw.stack',
  etw_frame_function: 'etw.stack',
  etw_generic_event: 'etw.generic_event',
  etw_hard_fault: 'etw.io',
  etw_image: 'etw.image',
  etw_input: 'etw.focus',
  etw_interrupt: 'etw.interrupt',
  etw_loss: 'etw.trace',
  etw_mapping: 'etw.stack',
  etw_pmc_sample: 'etw.sample',
  etw_process: 'etw.process',
  etw_process_freeze: 'etw.freeze',
  etw_ready_wait: 'etw.ready_wait',
  etw_ready_wait_long: 'etw.ready_wait_long',
  etw_ready_wait_rest: 'etw.ready_wait_long',
  etw_ready_wait_stretch: 'etw.ready_wait_long',
  etw_run: 'etw.run',
  etw_run_before: 'etw.run',
  etw_run_counter: 'etw.run_counter',
  etw_sample: 'etw.sample',
  etw_service: 'etw.service',
  etw_suspend: 'etw.power',
  etw_thread: 'etw.process',
  etw_thread_affinity: 'etw.affinity',
  etw_thread_ideal_cpu: 'etw.ideal_cpu',
  etw_trace: 'etw.trace',
};

/** Numbers of a column, in as few bytes as the file has. Those of 64 bits are doubles, exact up to 2^53. */
export type NumberValues =
  Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/** One column of a batch: numbers, or texts by their numbers in a list. A flag is 0 or 1. */
export interface Values {
  readonly values: NumberValues;
  /** 0 where a row has no value; null where each row has one. */
  readonly present: Uint8Array | null;
  /** What the numbers stand for, where the column is of texts. */
  readonly texts: readonly string[] | null;
  /** The texts of the rows as a file has them, which takes less than to make `texts`. Absent where they are not at hand. */
  readonly utf8?: TextBytes;
  /**
   * The whole numbers of 64 bits as they are. Absent but where there is one row, since a double may not hold the last digits; and where few of
   * the rows are looked at: then there may be no `values` ({@link doublesAt}).
   */
  readonly exact?: BigInt64Array;
}

/** Texts in UTF-8, one after another. */
export interface TextBytes {
  readonly bytes: Uint8Array;
  /** Where each begins, and last where the last one ends. */
  readonly starts: Uint32Array;
}

/** Rows of a table that follow one another. */
export interface Batch<C extends string> {
  /** The number of its first row in the table, from 0. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** When its rows begin and end, as a file says. Absent where these are of no time, and where SQL gave them. */
  readonly times?: BatchTimes | undefined;
  readonly columns: Readonly<Record<C, Values>>;
}

/** From the least beginning to the greatest end, in ns on the trace clock. */
export interface BatchTimes {
  readonly least_ns: number;
  readonly greatest_ns: number;
}

/** A stretch of trace time in ns: `start` inside, `end` outside. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The tables of one trace. */
export interface Tables {
  /** How many rows a table has. Of a range at least as many as `batches` gives of it. */
  rowCount(table: TableName, range?: Stretch | readonly Stretch[]): Promise<number>;
  /**
   * The rows of a table, in batches in the order of the file: what lasts comes in the order of its ends. A `range` gives at least the
   * rows that it touches, and some others. Several ranges have starts that rise. They give the rows that any of them touches, each once,
   * read as `part` says. A table without rows gives no batch. `leftOut` has the first rows of batches that are not wanted.
   */
  batches<C extends string>(
    table: TableName,
    columns: readonly C[],
    range?: Stretch | readonly Stretch[],
    how?: ReadHow,
    leftOut?: FirstRows,
  ): AsyncIterable<Batch<C>>;
}

/** The numbers of first rows of batches. */
export type FirstRows = Pick<ReadonlySet<number>, 'has'>;

/**
 * `once`: what is read is not kept to be read again. `backwards`: the last batch comes first; the rows of each are in the order of the file.
 * `part`: of a batch that the range touches in small parts only these are read, and not kept: of many short ranges. `within`: batches whose
 * times lie in the range, and in no longer ones of these; not kept either: of counts of stretches, and of longer stretches. `few`: few rows
 * are looked at. Of more than is kept, whole numbers of 64 bits are not made doubles: that takes longer than to read them.
 */
export type ReadHow = 'once' | 'backwards' | 'part' | 'within' | 'few';

/** The number of a row; null where it has none. */
export function numberAt({ values, present }: Values, row: number): number | null {
  return present?.[row] === 0 ? null : (values[row] ?? null);
}

/** The whole number of the only row, also where a double would not hold it; null where it has none. */
export function exactNumber({ values, present, exact }: Values): number | bigint | null {
  const number = numberAt({ values, present, texts: null }, 0);
  return number === null || Number.isSafeInteger(number) ? number : (exact?.[0] ?? number);
}

/** The text of a row; null where it has none. */
export function textAt(of: Values, row: number): string | null {
  if (of.present?.[row] === 0) return null;
  if (of.utf8 === undefined) return of.texts?.[of.values[row] ?? -1] ?? null;
  return row + 1 < of.utf8.starts.length ? decodedAt(of.utf8, row) : null;
}

/** A text by its place, from 0. */
export function decodedAt({ bytes, starts }: TextBytes, place: number): string {
  return DECODER.decode(bytes.subarray(starts[place], starts[place + 1]));
}

const DECODER = new TextDecoder();

/** The texts of the rows of a column in UTF-8; empty where a row has none. */
export function textBytesOf(of: Values): TextBytes {
  if (of.utf8 !== undefined) return of.utf8;
  const encoder = new TextEncoder();
  const all = Array.from(of.values, (_, row) => encoder.encode(textAt(of, row) ?? ''));
  const starts = new Uint32Array(all.length + 1);
  all.forEach((text, row) => (starts[row + 1] = (starts[row] ?? 0) + text.length));
  const bytes = new Uint8Array(starts[all.length] ?? 0);
  all.forEach((text, row) => bytes.set(text, starts[row]));
  return { bytes, starts };
}

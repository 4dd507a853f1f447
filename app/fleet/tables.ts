/** What a column of a lake holds: its type in Parquet, and its unit. Any of them may be null. */
export type LakeKind = 'text' | 'count' | 'number' | 'flag' | 'ns' | 'time' | 'bytes';

/** A column of a table of a lake. */
export interface LakeColumn {
  readonly kind: LakeKind;
  /** What it means, and what null means. */
  readonly meaning: string;
}

/** A table of a lake. */
export interface LakeTable {
  /** What a row is. */
  readonly meaning: string;
  /** The columns by which the rows of a trace are put in order, which makes a file smaller: alike values lie together. */
  readonly order?: readonly string[];
  readonly columns: Readonly<Record<string, LakeColumn>>;
}

/** The version of the tables: a reader takes a lake of this version, of older ones, and of no newer one. */
export const LAKE_VERSION = 1;

/** The SQL types of the kinds: those that DuckDB, Spark and Trino read alike. */
export const SQL_TYPES: Readonly<Record<LakeKind, 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN'>> = {
  text: 'VARCHAR',
  count: 'BIGINT',
  number: 'DOUBLE',
  flag: 'BOOLEAN',
  ns: 'BIGINT',
  time: 'BIGINT',
  bytes: 'BIGINT',
};

/** The units of the kinds, for the documentation. */
export const UNITS: Readonly<Record<LakeKind, string>> = {
  text: '',
  count: '',
  number: '',
  flag: '',
  ns: 'ns',
  time: 'ns on the trace clock',
  bytes: 'bytes',
};

const text = (meaning: string) => ({ kind: 'text', meaning }) as const;
const count = (meaning: string) => ({ kind: 'count', meaning }) as const;
const number = (meaning: string) => ({ kind: 'number', meaning }) as const;
const flag = (meaning: string) => ({ kind: 'flag', meaning }) as const;
const ns = (meaning: string) => ({ kind: 'ns', meaning }) as const;
const time = (meaning: string) => ({ kind: 'time', meaning }) as const;
const bytes = (meaning: string) => ({ kind: 'bytes', meaning }) as const;

const trace_id = text('The trace: SHA-256 of its content in hex, as links name it.');
const process = text('Name of the image file; `unknown process` where the recording does not tell.');
const thread = text(
  'What the thread is called in any recording: its name, its service, or `start …` with the low 16 bits of its start address; null where nothing is known.',
);

/** The tables of a lake, by name. Columns are only ever added. */
export const LAKE_TABLES = {
  trace: {
    meaning: 'The traces of the lake, one row each. A trace whose row is here is whole.',
    columns: {
      trace_id,
      name: text('Name of the file, or of the files with ` + ` between.'),
      start_utc_ns: ns('The start in UTC since 1970; null where the recording does not tell.'),
      start_ts: time('The start of the recording.'),
      dur_ns: ns('Length of the recording.'),
      source_bytes: bytes('Size of the file or files that were added.'),
      cpu_count: count('Number of CPUs.'),
      cpu_mhz: count('Clock rate of a CPU in MHz; null where it was not recorded.'),
      memory_mb: count('Memory of the machine in MB; null likewise.'),
      os_build: count('Build number of Windows; null likewise.'),
      os_version: text('Version of Windows; null likewise.'),
      machine_key: text(
        'The machine: a hash of its name, keyed by the lake, so that it says nothing outside. Null where the name was not recorded or was taken out.',
      ),
      machine_model: text('Machines that are alike: CPUs, clock rate and memory in one text.'),
      redacted: text('What was done with texts before the trace was given away; null for nothing.'),
      events_read: count('Events in the file.'),
      events_lost: count('Events that Windows says it lost.'),
      buffers_lost: count('Buffers that Windows says it lost.'),
      is_lossy: flag('Whether anything of the recording is missing: see `loss`.'),
      has_switches: flag('Whether context switches were recorded.'),
      has_ready: flag(
        'Whether ready-thread events were recorded: without them there are no ready waits by wakes.',
      ),
      chains_left_out: count(
        'Signatures of wake chains that are not in `chain`, since others had more ready time.',
      ),
      functions_left_out: count('Places that are not in `hot_function`, since others had more samples.'),
      schema_version: count('Version of these tables that wrote the rows of the trace.'),
      outrank_version: text('Version of Outrank that wrote them.'),
    },
  },
  tag: {
    meaning: 'What was said of a trace when it was added, by `--tag name=value`.',
    columns: { trace_id, name: text('The tag, such as `build`.'), value: text('Its value, such as `1234`.') },
  },
  ready_wait: {
    meaning:
      'Waits of threads that could have run and did not, in classes of length. Counts of one class add up over any traces; the sum over all rows of a trace is that of `etw_ready_wait`.',
    order: ['ended', 'cause', 'class', 'process', 'thread'],
    columns: {
      trace_id,
      process,
      thread,
      cause: text(
        'Main reason of the wait, that of the longest time in it: `rank`, `priority`, `affinity`, `interrupt`, `frozen`, `asleep`, `swapped_out`, `idle_wake_up`, `preemption_delay`, `not_explained`.',
      ),
      ended: flag(
        'Whether the waits were seen to end. Those that were not last to the end of the recording.',
      ),
      class: count('Class of length, 0 to 63, each √2 as long as the one before.'),
      from_ns: ns('Shortest wait of the class.'),
      below_ns: ns('All waits of the class are shorter; null for the last class, which has no end.'),
      waits: count('How many waits.'),
      ready_ns: ns('How long they were together.'),
      longest_ns: ns('The longest of them.'),
      longest_ts: time(
        'When the longest began; null but in the row that has the longest wait of its process, thread, cause and `ended`.',
      ),
      longest_tid: count('Id of the thread of the longest; null likewise.'),
    },
  },
  run: {
    meaning: 'CPU time, by thread class, rank and priority; without the idle thread.',
    order: ['process', 'thread', 'rank', 'priority'],
    columns: {
      trace_id,
      process,
      thread,
      rank: count('Rank as in `etw_run`; null where it was not recorded.'),
      priority: count('Priority at the switch-in, 0 to 31.'),
      runs: count('Stays on a CPU, each from switch-in to switch-out.'),
      cpu_ns: ns('How long they were together.'),
    },
  },
  chain: {
    meaning:
      'Signatures of wake chains: who was woken, by whom, who had been woken by whom. Of a trace those with the most ready time: as many as have 99.9 % of it together, but 100 at least and 1,000 at most.',
    columns: {
      trace_id,
      chain: text(
        'The thread that was woken, then its waker and so on, up to four, with ` < ` between: `process!thread`, or `DPC`.',
      ),
      steps: count('How many it names.'),
      wakes: count('How many wakes of this signature there were.'),
      ready_ns: ns('How long the woken threads were then ready, together.'),
      longest_ns: ns('The longest of these waits.'),
      longest_ts: time('When the longest began.'),
      longest_tid: count('Id of the thread of the longest.'),
    },
  },
  release: {
    meaning:
      'Release moments: instants at which much waiting ended at once. Of a trace the 50 in which most ended, as the view of that name lists them.',
    columns: {
      trace_id,
      ts: time('When the moment begins.'),
      dur_ns: ns('How long it is.'),
      waited_ns: ns('Waiting that ended in it, all threads together.'),
      longest_ns: ns('The longest of these waits.'),
      threads: count('Threads whose waits ended.'),
      processes: count('Processes of these threads.'),
      released_by: text(
        'Process and service whose thread ended most of it; `a DPC`, or `a free CPU (preempted threads)`.',
      ),
      begun_by: text('Who began it, by the chain of wakes.'),
      tid: count('Thread to look at forward from there; null where it is not known.'),
    },
  },
  hot_function: {
    meaning:
      'Where sampled CPU time went, by the innermost call. Of a trace the 200 places with the most samples. Without the idle thread.',
    columns: {
      trace_id,
      process,
      module: text('Name of the image file; null where none is known.'),
      function: text('Name of the function; null without symbols.'),
      offset: count(
        'Without a function: where in the image, rounded down to 256 bytes; null with a function, and where no image is known.',
      ),
      pdb: text('Name of the symbol file of the image; null where none was recorded.'),
      pdb_id: text('GUID and age of the symbols, as a symbol server wants them; null likewise.'),
      samples: count('How many samples.'),
      cpu_ns: ns('CPU time that they stand for; null where no interval was recorded.'),
    },
  },
  process: {
    meaning:
      'Processes: those of one image, creator, command and exit code are one row, parted by whether the recording saw their beginning, and their end.',
    columns: {
      trace_id,
      process,
      pid: count('Process id; of several processes that of the one that lived longest, or of the first.'),
      parent: text('Image of the creator; null where it is not in the trace.'),
      command: text('The command line without what changes from run to run; null where it was not recorded.'),
      create_ts: time('When the process of `pid` was created; null if that was before the recording.'),
      exit_ts: time('When it ended; null if it did not within the recording.'),
      lifetime_ns: ns(
        'From creation to end, of all processes of the row together; null where one of them is not known.',
      ),
      exit_code: count('What they ended with; null if they did not end.'),
      processes: count('How many processes the row stands for; null in older rows, which stand for one.'),
      longest_ns: ns('The longest of the lifetimes; null where these are not known, and in older rows.'),
    },
  },
  finding: {
    meaning: 'What the rules that come with Outrank found, as `outrank findings` prints it.',
    columns: {
      trace_id,
      rule: text('Id of the rule, such as `rank-starvation`.'),
      title: text('Its title.'),
      sentence: text('The finding in words.'),
      seconds_lost: number('Seconds that the user lost by it, at most.'),
      ts: time('When it begins.'),
      dur_ns: ns('How long it lasts.'),
      process,
      pid: count('Process id; null where no process is concerned.'),
      thread: text('Name of the thread; null likewise.'),
      tid: count('Thread id; null likewise.'),
      proof_view: text('Id of the view that shows it.'),
      proof_params: text('What that view is to show, as JSON.'),
    },
  },
  rule: {
    meaning: 'Which rules were checked: a trace in which a rule was not checked says nothing of it.',
    columns: {
      trace_id,
      rule: text('Id of the rule.'),
      state: text('`checked`, `not_checked` (its events are not in the trace), or `failed`.'),
      found: count('Findings that are listed; null where it was not checked.'),
      needs: text('What would have to be recorded, with `; ` between; null where it was checked.'),
    },
  },
  loss: {
    meaning: 'What is missing of a recording, by kind.',
    columns: {
      trace_id,
      kind: text('Kind as in `etw_loss`, such as `lost_events`.'),
      gaps: count('Gaps, or places, of this kind.'),
      events: count('Events or buffers that are missing; null where that is not known.'),
      dur_ns: ns('Length of the gaps together.'),
      first_ts: time('When the first begins.'),
    },
  },
  recorded: {
    meaning: 'What a recording can tell. Who compares traces leaves out those that were recorded otherwise.',
    columns: {
      trace_id,
      signal: text('Name of a signal in recording.md, such as `ready_threads`.'),
      is_recorded: flag('Whether the trace holds it.'),
    },
  },
} as const satisfies Readonly<Record<string, LakeTable>>;

/** The name of a table of summaries. */
export type LakeTableName = keyof typeof LAKE_TABLES;

type ValueOf<K extends LakeKind> =
  (K extends 'text' ? string : K extends 'flag' ? boolean : number | bigint) | null;
type ColumnsOf<T extends LakeTableName> = (typeof LAKE_TABLES)[T]['columns'];
type RowOf<T extends LakeTableName> = {
  readonly [C in keyof ColumnsOf<T>]: ColumnsOf<T>[C] extends { readonly kind: infer K extends LakeKind }
    ? ValueOf<K>
    : never;
};

/** A row of a table, without the trace that it is of. */
export type LakeRow<T extends LakeTableName> = Omit<RowOf<T>, 'trace_id'>;

/** The columns of a table, in their order. */
export function columnsOf(table: LakeTableName): readonly (readonly [name: string, column: LakeColumn])[] {
  return Object.entries<LakeColumn>(LAKE_TABLES[table].columns);
}

/** The columns that put the rows of a trace in order. */
export function orderOf(table: LakeTableName): readonly string[] {
  const { order = [] }: LakeTable = LAKE_TABLES[table];
  return order;
}

/** All that a trace adds to a lake. */
export type LakeRows = { readonly [T in LakeTableName]: readonly LakeRow<T>[] };

/** The tables in the order in which they are written: `trace` last, since its row says that the others are there. */
export const TABLE_ORDER: readonly LakeTableName[] = [
  ...(Object.keys(LAKE_TABLES) as LakeTableName[]).filter((name) => name !== 'trace'),
  'trace',
];

/** The tables that the converter writes whole where a trace is added with `--full`. */
export const FULL_TABLES = [
  'etw_run',
  'etw_ready_wait',
  'etw_thread',
  'etw_process',
  'etw_interrupt',
  'etw_loss',
  'etw_cpu_time',
] as const;

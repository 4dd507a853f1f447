import type { OpenTrace, TraceId } from './api.ts';
import { apart, keeping, KeptModels, keptRanks } from './kept-models.ts';
import type { KnownHashes } from './known-hashes.ts';
import { MeasureBehind } from './measure-behind.ts';
import { MEASURING, measuringQuestion } from './model-source/index.ts';
import type { AskBytes, ModelMaker, ModelSource } from './model-source/index.ts';
import type { KeptRanks } from './outline-engine.ts';

/** What makes models of traces. */
export interface ModelPrograms {
  /** Starts one for a trace. */
  readonly start: () => ModelMaker<Uint8Array>;
  /** The programs that models come from: another build may make other models. */
  readonly programs: readonly string[];
}

/** What models of traces need of a host. */
export interface ModelsOptions extends ModelPrograms {
  /** Where models that took long are kept. */
  readonly dir: string;
  readonly hashes: KnownHashes;
  /** What a trace is known by as it is converted. */
  readonly cacheKey: (id: TraceId) => Promise<string>;
  /** Whether traces are measured for comparisons once their first picture is there. */
  readonly measuresBehind: boolean;
}

/** An open trace whose models are made. */
export interface ModelledTrace {
  trace(): Promise<Pick<OpenTrace, 'summary'>>;
  /** Its tables in columns; undefined where it has none. */
  readonly tables: OpenTrace['tables'];
  /** The folder with their files; undefined where there is none. */
  readonly folder: string | undefined;
  readonly hasSymbols: boolean;
}

const KEPT_LIMIT_BYTES = 256 * 1024 ** 2;
/** A trace with more runs is measured when it is compared alone: that takes gigabytes. */
const MEASURED_BEHIND_RUNS_MAX = 8_000_000;

/** Makes models of the open traces of a host, and keeps what took long. */
export class TraceModels {
  readonly #options: ModelsOptions;
  readonly #kept: KeptModels;
  #programHash: Promise<string> | undefined;
  /** Was started while a trace is converted; the next one that asks for models takes it. */
  #spare: ModelMaker<Uint8Array> | null = null;

  constructor(options: ModelsOptions) {
    this.#options = options;
    this.#kept = new KeptModels(options.dir, KEPT_LIMIT_BYTES);
  }

  /** Conversions leave processors idle now and then: what makes models starts meanwhile. */
  startSpare(): void {
    if (this.#spare !== null) return;
    this.#spare = this.#options.start();
    this.#spare.begin();
  }

  /** Those of one trace. `ask` asks the trace for what they need. */
  of(id: TraceId, trace: ModelledTrace, ask: AskBytes): ModelsOfTrace {
    return new ModelsOfTrace(trace, ask, {
      start: this.#options.start,
      first: () => this.#takeSpare() ?? this.#options.start(),
      keep: (source) => this.#keep(id, trace, source),
      measuresBehind: this.#options.measuresBehind,
    });
  }

  /** Where the judged ranks of a trace are kept: by the programs that judge them. */
  ranksOf(id: TraceId): KeptRanks {
    return keptRanks(this.#kept, () => this.#key(id));
  }

  end(): void {
    this.#takeSpare()?.end();
  }

  #takeSpare(): ModelMaker<Uint8Array> | null {
    const taken = this.#spare;
    this.#spare = null;
    return taken;
  }

  #keep(id: TraceId, trace: ModelledTrace, source: ModelSource<Uint8Array>): ModelSource<Uint8Array> {
    // Symbols come and go, and a Perfetto trace may be anybody's.
    const isKept = () => trace.tables !== undefined && !trace.hasSymbols;
    return keeping(source, this.#kept, isKept, () => this.#key(id));
  }

  /** Kept models are of a trace as it is converted, and of the programs that made them, the engine's among them. */
  async #key(id: TraceId): Promise<string> {
    const { hashes, programs, cacheKey } = this.#options;
    const key = await cacheKey(id);
    this.#programHash ??= Promise.all(programs.map((path) => hashes.of(path))).then((all) => all.join('-'));
    return `${key}-${await this.#programHash}`;
  }
}

/** What the models of one trace are made with. */
interface Making {
  readonly start: () => ModelMaker<Uint8Array>;
  /** The same, at once where one was started before. */
  readonly first: () => ModelMaker<Uint8Array>;
  /** A source that keeps what takes long. */
  readonly keep: (source: ModelSource<Uint8Array>) => ModelSource<Uint8Array>;
  readonly measuresBehind: boolean;
}

/** Makes the models of one open trace. */
export class ModelsOfTrace {
  readonly #trace: ModelledTrace;
  readonly #ask: AskBytes;
  readonly #making: Making;
  #pictures: ModelMaker<Uint8Array> | null = null;
  /** Answers what takes long, apart from pictures: these are waited for. */
  #lasting: ModelMaker<Uint8Array> | null = null;
  #behind: MeasureBehind | null = null;

  constructor(trace: ModelledTrace, ask: AskBytes, making: Making) {
    this.#trace = trace;
    this.#ask = ask;
    this.#making = making;
  }

  /** A source of its models, packed. */
  source(): ModelSource<Uint8Array> {
    const { first, keep, measuresBehind } = this.#making;
    const pictures = this.#connect((this.#pictures ??= first()));
    const source = keep(apart(pictures, () => this.#connect((this.#lasting ??= first()))));
    if (!measuresBehind) return source;
    const behind = (this.#behind ??= new MeasureBehind((turn, signal) => this.#measure(turn, signal)));
    return { ...source, load: (...wanted) => behind.first(() => source.load(...wanted)) };
  }

  end(): void {
    this.#behind?.end();
    this.#pictures?.end();
    this.#lasting?.end();
  }

  #connect(maker: ModelMaker<Uint8Array>): ModelSource<Uint8Array> {
    const { tables, folder, hasSymbols } = this.#trace;
    return maker.connect(this.#ask, { tables, folder, hasSymbols });
  }

  /** Measures the trace as a comparison does that has it alone on a side, in a thread that is there for this alone. */
  async #measure(turn: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const { summary } = await this.#trace.trace();
    const { tables, hasSymbols } = this.#trace;
    if (summary === null || tables === undefined || hasSymbols) return;
    if (runsOf(tables) > MEASURED_BEHIND_RUNS_MAX) return;
    const thread = this.#making.start();
    const end = () => thread.end();
    signal.addEventListener('abort', end);
    try {
      const asking = thread.connect(
        async (...asked) => {
          await turn();
          return this.#ask(...asked);
          // Not their folder: each part that is read waits for its turn.
        },
        { tables },
      );
      const question = measuringQuestion({ range: summary.range });
      if (!signal.aborted) await this.#making.keep(asking).ask(MEASURING, question, {});
    } finally {
      signal.removeEventListener('abort', end);
      thread.end();
    }
  }
}

function runsOf(tables: NonNullable<OpenTrace['tables']>): number {
  const batches = tables.find(({ name }) => name === 'etw_run')?.batches ?? [];
  return batches.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

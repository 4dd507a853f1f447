import { toNumber, toText, type Row } from '../../../shared/engine/index.ts';
import {
  LakeRefusal,
  type LakeAbout,
  type LakeAnswer,
  type LakeAsk,
  type LakeDesk,
  type LakeValue,
} from '../../../shared/lake/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { readPanel, type Panel } from '../../../shared/panel/index.ts';
import { ParamError, readParams } from '../../../shared/view/index.ts';
import { lakePanels } from '../../../panels/lake/index.ts';
import { BoundError, type QueryBounds } from '../../questions/bounded-query.ts';
import { Lake } from '../lake/lake.ts';
import { LakeError } from '../lake/lake-error.ts';
import { LakeReader, type ReaderOptions } from '../lake/reader.ts';
import { askLake } from './ask.ts';
import { conditionOf } from './narrowed.ts';
import aboutSql from './about.sql';

/** So many values of a kind are listed; there can be a machine for each trace. */
const MOST_VALUES = 500;
/** More that wait for their turn are refused. */
const MOST_WAITING = 32;

/** How a {@link LocalDesk} reads its lake. */
export interface DeskOptions extends Omit<ReaderOptions, 'signal'> {
  /** A folder or `s3://BUCKET/PREFIX`. */
  readonly address: string;
  /** Whether a lake is made where none is. */
  readonly create?: boolean;
  readonly bounds: QueryBounds;
  /** Ids of the traces that may be asked now; absent for all. */
  readonly visible?: () => Promise<ReadonlySet<string>>;
}

/** Answers for a lake, one question after the other. */
export class LocalDesk implements LakeDesk {
  readonly #options: DeskOptions;
  readonly #panels: readonly Panel[] = lakePanels.map((file) => readPanel(file));
  #reader: LakeReader | null = null;
  #isStale = false;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  about(): Promise<LakeAbout> {
    return this.#inTurn(async (reader) => {
      await this.#narrow(reader, 'true');
      const rows = [...(await reader.query(aboutSql, this.#options.bounds)).rows()];
      return { ...aboutOf(rows), problems: reader.listing.problems, questions: this.#questions() };
    });
  }

  ask({ question, params, filter }: LakeAsk): Promise<LakeAnswer> {
    const panel = this.#panels.find(({ id }) => id === question);
    if (panel === undefined) return Promise.reject(new LakeRefusal(`no question is called "${question}"`));
    return this.#inTurn(async (reader) => {
      const values = readParams(panel.params, params);
      await this.#narrow(reader, conditionOf(filter));
      return askLake(reader, panel, values, this.#options.bounds);
    });
  }

  /** Ids of the traces in the lake. */
  ids(): Promise<ReadonlySet<string>> {
    return this.#inTurn((reader) => Promise.resolve(new Set(reader.listing.traces.keys())));
  }

  /** Says that the lake is another one now: the next question lists it anew. */
  changed(): void {
    this.#isStale = true;
  }

  async end(): Promise<void> {
    await this.#turn;
    await this.#reader?.end();
    this.#reader = null;
  }

  #questions() {
    return this.#panels.map(({ id, title, description, params }) => ({ id, title, description, params }));
  }

  /** Leaves out what does not fit, and what may not be seen: its rows may still be there. */
  async #narrow(reader: LakeReader, condition: string): Promise<void> {
    const visible = await this.#options.visible?.();
    const unseen =
      visible === undefined ? [] : [...reader.listing.traces.keys()].filter((id) => !visible.has(id));
    await reader.narrow(unseen, condition);
  }

  #inTurn<T>(use: (reader: LakeReader) => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING)
      return Promise.reject(new LakeRefusal(`${MOST_WAITING} questions wait already: ask again later`));
    this.#waiting++;
    const turn = this.#turn.then(() => this.#open()).then(use);
    this.#turn = turn.catch(() => undefined).finally(() => this.#waiting--);
    return turn.catch((error: unknown) => {
      throw isForAsker(error) ? new LakeRefusal(messageOf(error)) : error;
    });
  }

  async #open(): Promise<LakeReader> {
    if (this.#reader !== null && !this.#isStale) return this.#reader;
    await this.#reader?.end();
    this.#reader = null;
    this.#isStale = false;
    const { address, create = false, memoryBytes, threads, copies } = this.#options;
    this.#reader = await LakeReader.open(await Lake.open(address, { create }), {
      memoryBytes,
      threads,
      copies,
    });
    return this.#reader;
  }
}

function isForAsker(error: unknown): boolean {
  return error instanceof LakeError || error instanceof BoundError || error instanceof ParamError;
}

/** What `about.sql` tells. */
function aboutOf(rows: readonly Row[]): Omit<LakeAbout, 'problems' | 'questions'> {
  const ofKind = (kind: string) => rows.filter((row) => row.kind === kind).slice(0, MOST_VALUES);
  const countOf = (row: Row | undefined) => toNumber(row?.traces) ?? 0;
  const nameOf = (row: Row) => toText(row.name) ?? '';
  const [all] = ofKind('all');
  const tags: Record<string, LakeValue<string>[]> = {};
  for (const row of ofKind('tag'))
    (tags[nameOf(row)] ??= []).push({ value: toText(row.value) ?? '', traces: countOf(row) });
  return {
    traces: countOf(all),
    lossy: countOf(ofKind('lossy')[0]),
    machines: ofKind('machine').map((row) => ({
      ...{ value: nameOf(row), model: toText(row.value) ?? null, traces: countOf(row) },
    })),
    models: ofKind('model').map((row) => ({ value: nameOf(row), traces: countOf(row) })),
    os_builds: ofKind('os_build').map((row) => ({ value: Number(nameOf(row)), traces: countOf(row) })),
    tags,
    from: toText(all?.name) ?? null,
    to: toText(all?.value) ?? null,
  };
}

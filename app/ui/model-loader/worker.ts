/** Loads models of views, so that the page answers meanwhile however many rows they are made of. */
import type { Query } from '../../../shared/engine/index.ts';
import { messageOf } from '../../../shared/model/index.ts';
import { traceQuery, type TableInfo, type TraceAsker } from '../../../shared/tables/index.ts';
import { views, type AnyView } from '../../../views/index.ts';
import type { FromWorker, Step, ToWorker, Wanted, Wish } from './protocol.ts';

/** What the page was asked for and did not get. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly ask: number;

  constructor(ask: number) {
    super('the page gave no answer');
    this.ask = ask;
  }
}

interface Asked {
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: RefusedError) => void;
}

interface Source {
  readonly query: Query;
  /** What `load` gave last. */
  model: unknown;
}

const asked = new Map<number, Asked>();
let asks = 0;
const sources = new Map<number, Source>();

function send(message: FromWorker): void {
  postMessage(message);
}

function ask(source: number, wish: Wish): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const number = asks++;
    asked.set(number, { resolve, reject });
    send({ kind: 'ask', ask: number, source, wish });
  });
}

function connect(id: number, tables: readonly TableInfo[] | undefined): Source {
  const asker: TraceAsker = {
    sql: (of, sql, statement) => ask(id, { kind: 'sql', sql, statement, of }),
    readTable: (table, batch, columns) => ask(id, { kind: 'table', table, batch, columns }),
  };
  return { query: traceQuery(asker, tables), model: null };
}

function reply(
  call: number,
  made: Promise<unknown>,
  isChanged: (model: unknown) => boolean = () => true,
): void {
  made.then(
    (model) => {
      const changed = isChanged(model);
      send({ kind: 'model', call, model: changed ? model : null, changed });
    },
    (error: unknown) => {
      const ask = error instanceof RefusedError ? error.ask : null;
      send({ kind: 'failed', call, message: messageOf(error), ask });
    },
  );
}

function viewOf(id: string): AnyView {
  const view = views.find((each) => each.id === id);
  if (view === undefined) throw new Error(`there is no view ${id}`);
  return view;
}

async function answer({ query }: Source, id: string, question: unknown): Promise<unknown> {
  const view = viewOf(id);
  if (view.answer === undefined) throw new Error(`the view ${id} answers no questions`);
  return view.answer(query, question);
}

async function run(
  source: Source,
  step: Step,
  { view: id, params, range, chosen }: Wanted,
): Promise<unknown> {
  const view = viewOf(id);
  if (step === 'early') return view.early?.(source.query, params, range);
  if (step === 'detail') return view.detail?.load(source.query, chosen, range);
  if (step === 'later') return view.later?.load(source.query, params, range, source.model);
  return (source.model = await view.load(source.query, params, range));
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'source':
      sources.set(data.source, connect(data.source, data.tables));
      break;
    case 'run': {
      const { call, step, wanted } = data;
      const source = sources.get(data.source);
      if (source === undefined) break;
      const before = source.model;
      reply(call, run(source, step, wanted), (model) => step !== 'later' || model !== before);
      break;
    }
    case 'question': {
      const { call, view, question } = data;
      const source = sources.get(data.source);
      if (source !== undefined) reply(call, answer(source, view, question));
      break;
    }
    case 'answer':
      asked.get(data.ask)?.resolve(data.bytes);
      asked.delete(data.ask);
      break;
    case 'refused':
      asked.get(data.ask)?.reject(new RefusedError(data.ask));
      asked.delete(data.ask);
      break;
    case 'end':
      sources.delete(data.source);
      break;
  }
});

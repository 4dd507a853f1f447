import type { Query } from '../../shared/engine/index.ts';
import { SHIPPED_FINDINGS } from '../../shared/findings/index.ts';
import { messageOf } from '../../shared/model/index.ts';
import { traceQuery, type TableInfo, type TraceAsker } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { views, type AnyView } from '../../views/index.ts';
import { anchor } from './anchoring.ts';
import { build } from './building.ts';
import { measure } from './comparing.ts';
import { findShipped } from './finding.ts';
import {
  ANCHORING,
  BUILDING,
  MEASURING,
  type FromWorker,
  type Step,
  type ToWorker,
  type Wanted,
  type Wish,
} from './protocol.ts';

/** What was asked for and not given. */
class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly ask: number;

  constructor(ask: number) {
    super('there was no answer');
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

/** Answers questions about no trace, by the name that they are asked by. */
export type OwnAnswers = Readonly<Record<string, (question: unknown) => unknown>>;

/**
 * Loads models of views in this worker, and sends them as `write` gives them.
 * @param own what this worker answers besides
 * @returns what takes the messages to the worker
 */
export function serveModels(
  send: (message: FromWorker) => void,
  write: (model: unknown) => unknown,
  own: OwnAnswers = {},
): (message: ToWorker) => void {
  const asked = new Map<number, Asked>();
  let asks = 0;
  const sources = new Map<number, Source>();

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
    made
      .then((model) => send({ kind: 'model', call, model: isChanged(model) ? write(model) : null }))
      .catch((error: unknown) => {
        const ask = error instanceof RefusedError ? error.ask : null;
        send({ kind: 'failed', call, message: messageOf(error), ask });
      });
  }

  return (message) => {
    switch (message.kind) {
      case 'source':
        sources.set(message.source, connect(message.source, message.tables));
        break;
      case 'run': {
        const { call, step, wanted } = message;
        const source = sources.get(message.source);
        if (source === undefined) break;
        const before = source.model;
        reply(call, run(source, step, wanted), (model) => step !== 'later' || model !== before);
        break;
      }
      case 'question': {
        const { call, view, question } = message;
        const source = sources.get(message.source);
        const ask = Object.hasOwn(own, view) ? own[view] : undefined;
        if (ask !== undefined) reply(call, Promise.resolve(question).then(ask));
        else if (source !== undefined) reply(call, answer(source, view, question));
        break;
      }
      case 'answer':
        asked.get(message.ask)?.resolve(message.bytes);
        asked.delete(message.ask);
        break;
      case 'refused':
        asked.get(message.ask)?.reject(new RefusedError(message.ask));
        asked.delete(message.ask);
        break;
      case 'end':
        sources.delete(message.source);
        break;
    }
  };
}

function viewOf(id: string): AnyView {
  const view = views.find((each) => each.id === id);
  if (view === undefined) throw new Error(`there is no view ${id}`);
  return view;
}

async function answer({ query }: Source, id: string, question: unknown): Promise<unknown> {
  if (id === MEASURING) return measure(query, question);
  if (id === BUILDING) return build(query, question);
  if (id === ANCHORING) return anchor(query, question);
  if (id === SHIPPED_FINDINGS) return findShipped(query, question);
  const view = viewOf(id);
  if (view.answer === undefined) throw new Error(`the view ${id} answers no questions`);
  return view.answer(query, question);
}

async function run(source: Source, step: Step, wanted: Wanted): Promise<unknown> {
  const { query } = source;
  const view = viewOf(wanted.view);
  const { chosen, range } = wanted;
  if (step === 'detail') return view.detail?.load(query, chosen, range);
  const params = readParams(view.params, wanted.params);
  if (step === 'early') return view.early?.(query, params, range);
  if (step === 'later') return view.later?.load(query, params, range, source.model);
  return (source.model = await view.load(query, params, range));
}

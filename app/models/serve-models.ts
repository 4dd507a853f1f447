import { connect, messagePort, serve, type Port } from '../../shared/border/index.ts';
import type { Query } from '../../shared/engine/index.ts';
import { SHIPPED_FINDINGS } from '../../shared/findings/index.ts';
import { traceQuery, type ReadBatch, type TraceAsker } from '../../shared/tables/index.ts';
import { readParams } from '../../shared/view/index.ts';
import { views, type AnyView } from '../../views/index.ts';
import { ERROR_FORMS } from '../host/error-forms.ts';
import { ANCHORING, BUILDING, MEASURING, MEASURING_FIRST, REASONING } from '../host/model-source/index.ts';
import type { Step, TraceTables, Wanted, Wish } from '../host/model-source/index.ts';
import { anchor } from './anchoring.ts';
import { build } from './building.ts';
import { measure } from './comparing.ts';
import { findShipped } from './finding.ts';
import { reason } from './reasoning.ts';
import type { ModelWorkerCalls, SourceCalls, TraceCalls } from './protocol.ts';

interface Source {
  readonly query: Query;
  /** What `load` gave last. */
  model: unknown;
  /** The views for which what other ranges will ask for is made ready. */
  readonly ahead: Set<AnyView>;
}

/** Answers questions of the program itself, by the name that they are asked by; `query` asks the trace. */
export type OwnAnswers = Readonly<Record<string, (question: unknown, query: Query) => unknown>>;

/** Tables in files, open until they are closed. */
export interface OpenTables {
  read(...which: Parameters<ReadBatch>): Uint8Array;
  close(): void;
}

/** How a worker reads traces, and how models leave it. */
export interface ModelServing {
  /** How a model is written. */
  readonly write: (model: unknown) => unknown;
  /** Whether the memory of a model that is written as bytes is handed over. */
  readonly handsOver: boolean;
  /** Opens the tables in the files of a folder, where the worker can read files: that takes less than to ask for them. */
  readonly openFolder?: (folder: string) => OpenTables;
  /** What the worker answers besides. */
  readonly own?: OwnAnswers;
}

/** Loads models of views in this worker, whose port is given. */
export function serveModels(port: Port, serving: ModelServing): void {
  serve<ModelWorkerCalls>(port, {
    open({ port, ...tables }) {
      serveSource(messagePort(port), tables, serving);
    },
  });
}

function serveSource(
  port: Port,
  { tables, folder, hasSymbols }: TraceTables,
  { write, handsOver, openFolder, own = {} }: ModelServing,
): void {
  const trace = connect<TraceCalls>(port, { errors: ERROR_FORMS });
  const wish = (wish: Wish): Promise<Uint8Array> => trace.call('wish', wish);
  const files = folder === undefined || openFolder === undefined ? null : whenRead(() => openFolder(folder));
  const asker: TraceAsker = {
    sql: (of, sql) => wish({ kind: 'sql', sql, of }),
    readTable: files?.read ?? ((...which) => wish({ kind: 'table', which })),
    hasSymbols,
  };
  const source: Source = { query: traceQuery(asker, tables), model: null, ahead: new Set() };
  serve<SourceCalls>(
    port,
    {
      async load({ step, wanted }) {
        const before = source.model;
        const model = await run(source, step, wanted);
        if (files !== null && step === 'load') goAhead(source, viewOf(wanted.view));
        return step === 'later' && model === before ? null : write(model);
      },
      async ask({ view, question }) {
        const ask = Object.hasOwn(own, view) ? own[view] : undefined;
        return write(
          await (ask === undefined ? answer(source, view, question) : ask(question, source.query)),
        );
      },
      end() {
        trace.end(new Error('the trace was closed'));
        files?.close();
        void port.close();
      },
    },
    { errors: ERROR_FORMS, handsOver },
  );
}

/** Makes ready what other ranges of a view will ask for, once. Between pieces, what is asked meanwhile is answered. */
function goAhead({ query, ahead }: Source, view: AnyView): void {
  const pieces = ahead.has(view) ? undefined : view.ahead?.(query);
  if (pieces === undefined) return;
  ahead.add(view);
  const pause = () => new Promise((resolve) => setTimeout(resolve));
  const go = async () => {
    do await pause();
    while ((await pieces.next()).done !== true);
  };
  // What fails here fails again for who asks for it.
  go().catch(() => undefined);
}

/** Tables that are opened when something is read first, and not again once they are closed. */
function whenRead(open: () => OpenTables): { readonly read: ReadBatch; close(): void } {
  let tables: OpenTables | null = null;
  let isClosed = false;
  return {
    // What it throws, it rejects with.
    read: (...which) =>
      new Promise((resolve) => {
        if (isClosed) throw new Error('the trace was closed');
        resolve((tables ??= open()).read(...which));
      }),
    close() {
      isClosed = true;
      tables?.close();
    },
  };
}

function viewOf(id: string): AnyView {
  const view = views.find((each) => each.id === id);
  if (view === undefined) throw new Error(`there is no view ${id}`);
  return view;
}

async function answer({ query }: Source, id: string, question: unknown): Promise<unknown> {
  if (id === MEASURING) return measure(query, question, 'all');
  if (id === MEASURING_FIRST) return measure(query, question, 'first');
  if (id === BUILDING) return build(query, question);
  if (id === ANCHORING) return anchor(query, question);
  if (id === REASONING) return reason(query);
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
  if (step === 'later') return view.later?.load(query, params, range, source.model);
  return (source.model = await view.load(query, params, range));
}

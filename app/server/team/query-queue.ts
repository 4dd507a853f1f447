import { EngineError } from '../../../shared/engine/index.ts';

/** Somebody who looks at a trace: one connection. */
export type Viewer = object;

/** What runs a query. `onPart` given: the reply comes through it, and the result is empty. */
export type RunQuery = (sql: string, onPart?: (bytes: Uint8Array) => void) => Promise<Uint8Array>;

/** What belongs to a question. */
export interface AskOptions {
  /** The reply comes through it, and the result is empty. */
  readonly onPart?: (bytes: Uint8Array) => void;
  /** Aborted when the viewer waits for the answer no more. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiter {
  readonly viewer: Viewer;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

interface Task {
  readonly sql: string;
  readonly onPart: ((bytes: Uint8Array) => void) | undefined;
  readonly waiters: Waiter[];
}

/** Longest queue of one trace: beyond it no honest viewer would still wait. */
const MOST_TASKS = 5000;
/** A page that is loaded again asks the same again. A query without a waiter goes on for this time, in ms. */
const COMES_BACK_MS = 10_000;

/**
 * Queries of several viewers, run one at a time. The viewer who was served longest ago comes first. So no viewer waits for all
 * queries of another viewer. One run answers all viewers that ask the same text. A query without a waiter is not begun. A running
 * query without a waiter is given up after a while.
 */
export class QueryQueue {
  readonly #run: RunQuery;
  readonly #giveUp: () => void;
  readonly #comesBackMs: number;
  readonly #tasks: Task[] = [];
  readonly #servedAt = new WeakMap<Viewer, number>();
  #running: Task | null = null;
  #served = 0;

  /** `giveUp` ends what runs. */
  constructor(run: RunQuery, giveUp: () => void, comesBackMs = COMES_BACK_MS) {
    this.#run = run;
    this.#giveUp = giveUp;
    this.#comesBackMs = comesBackMs;
  }

  /** Whether nothing runs or waits. */
  get idle(): boolean {
    return this.#running === null && this.#tasks.length === 0;
  }

  /** Asks for a viewer. */
  ask(viewer: Viewer, sql: string, { onPart, signal }: AskOptions = {}): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#dismiss((each) => each === waiter);
        reject(Object.assign(new Error('the query was given up'), { name: 'AbortError' }));
      };
      const waiter: Waiter = {
        viewer,
        resolve: (bytes) => {
          signal?.removeEventListener('abort', abort);
          resolve(bytes);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', abort);
          reject(error);
        },
      };
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener('abort', abort);
      const same = onPart === undefined ? this.#find(sql) : undefined;
      if (same !== undefined) {
        same.waiters.push(waiter);
        return;
      }
      if (this.#tasks.length >= MOST_TASKS) {
        reject(new Error('too many queries of this trace are waiting: try again later'));
        return;
      }
      this.#tasks.push({ sql, onPart, waiters: [waiter] });
      void this.#pump();
    });
  }

  /** Whether the running query has no waiter left. */
  get abandoned(): boolean {
    return this.#running?.waiters.length === 0;
  }

  /** Rejects what a viewer waits for. */
  forget(viewer: Viewer): void {
    const gone = new EngineError('ended', 'the query was given up');
    for (const waiter of this.#dismiss((each) => each.viewer === viewer)) waiter.reject(gone);
  }

  /** Takes out waiters that leave, and queries without a waiter. */
  #dismiss(leaves: (waiter: Waiter) => boolean): readonly Waiter[] {
    const running = this.#running;
    const all = running === null ? this.#tasks : [running, ...this.#tasks];
    const dismissed = all.flatMap(({ waiters }) => waiters.filter(leaves));
    for (const { waiters } of all)
      waiters.splice(0, waiters.length, ...waiters.filter((each) => !leaves(each)));
    const kept = this.#tasks.filter(({ waiters }) => waiters.length > 0);
    this.#tasks.splice(0, this.#tasks.length, ...kept);
    if (this.abandoned) {
      setTimeout(() => {
        if (this.#running === running && this.abandoned) this.#giveUp();
      }, this.#comesBackMs).unref();
    }
    return dismissed;
  }

  #find(sql: string): Task | undefined {
    const fits = (task: Task): boolean => task.onPart === undefined && task.sql === sql;
    return this.#running !== null && fits(this.#running) ? this.#running : this.#tasks.find(fits);
  }

  async #pump(): Promise<void> {
    if (this.#running !== null) return;
    for (let task = this.#next(); task !== undefined; task = this.#next()) {
      this.#running = task;
      for (const { viewer } of task.waiters) this.#servedAt.set(viewer, ++this.#served);
      try {
        const bytes = await this.#run(task.sql, task.onPart);
        for (const { resolve } of task.waiters) resolve(bytes);
      } catch (error) {
        for (const { reject } of task.waiters)
          reject(error instanceof Error ? error : new Error(String(error)));
      } finally {
        this.#running = null;
      }
    }
  }

  #next(): Task | undefined {
    const age = ({ waiters }: Task): number =>
      Math.min(...waiters.map(({ viewer }) => this.#servedAt.get(viewer) ?? 0));
    let [first] = this.#tasks;
    for (const task of this.#tasks) if (first !== undefined && age(task) < age(first)) first = task;
    if (first !== undefined) this.#tasks.splice(this.#tasks.indexOf(first), 1);
    return first;
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { SHIPPED_FINDINGS } from '../../shared/findings/index.ts';
import type { JudgedRank } from '../../shared/why-late/columns/index.ts';
import { ANCHORING, MEASURING, MEASURING_FIRST, REASONING } from './model-source/index.ts';
import type { ModelSource, Step, Wanted } from './model-source/index.ts';
import { packModel, unpackModel } from './model-source/pack.ts';
import type { KeptRanks } from './outline-engine.ts';

/** A model that takes less is soon made again. */
const WORTH_KEEPING_MS = 100;
/** A larger model is no picture. */
const LARGEST_PICTURE_BYTES = 8 << 20;
/** An answer may hold a byte for each ready wait: 50 M context switches have 34 M. */
const LARGEST_ANSWER_BYTES = 64 << 20;
const HASH_BYTES = 32;
/** Questions that take long, and whose answers are kept: what views answer follows each zoom. */
const LASTING: ReadonlySet<string> = new Set([ANCHORING, MEASURING, REASONING, SHIPPED_FINDINGS]);

const kept = v.object({
  /** Packed. */
  model: v.instance<typeof Uint8Array<ArrayBufferLike>>(Uint8Array),
});
type Kept = v.InferOutput<typeof kept>;
/** What a source gave: null where `later` had nothing to add. */
type Made = Uint8Array | null;

/** Models that were made before, on disk, a file each. The file is the SHA-256 of the rest, and the rest. */
export class KeptModels {
  readonly #dir: string;
  readonly #limitBytes: number;
  readonly #underWay = new Map<string, Promise<Uint8Array | null>>();

  constructor(dir: string, limitBytes: number) {
    this.#dir = dir;
    this.#limitBytes = limitBytes;
  }

  /** The model of a key, now the one used last; null if there is none that is whole. */
  async get(key: string): Promise<Kept | null> {
    const path = this.#pathOf(key);
    try {
      const { buffer, byteOffset, length } = await readFile(path);
      const bytes = new Uint8Array(buffer, byteOffset, length);
      const body = bytes.subarray(HASH_BYTES);
      if (!hashOf(body).equals(bytes.subarray(0, HASH_BYTES))) return null;
      const now = new Date();
      // A folder that cannot be written can be read all the same.
      await utimes(path, now, now).catch(() => undefined);
      return v.parse(kept, unpackModel(body));
    } catch {
      return null;
    }
  }

  /** Keeps a model, and lets those go that were used longest ago. */
  async put(key: string, model: Kept): Promise<void> {
    const body = packModel(model);
    const partial = join(this.#dir, `partial-${randomBytes(8).toString('hex')}`);
    await mkdir(this.#dir, { recursive: true });
    try {
      await writeFile(partial, [hashOf(body), body]);
      await rename(partial, this.#pathOf(key));
    } finally {
      await rm(partial, { force: true });
    }
    await this.#evict();
  }

  /**
   * What is answered to a question that takes long, by its key: one that is answered now is not asked twice. Who waits for another's
   * answer asks again where that one fails.
   */
  async answer(key: string, ask: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const other = await this.#underWay.get(key)?.catch(() => null);
    if (other != null) return other.slice();
    const answer = ask();
    // Whoever asked may hand its bytes over.
    const copy = answer.then((model) => model?.slice() ?? null);
    this.#underWay.set(key, copy);
    const done = () => {
      if (this.#underWay.get(key) === copy) this.#underWay.delete(key);
    };
    copy.then(done, done);
    return answer;
  }

  #pathOf(key: string): string {
    return join(this.#dir, hashOf(Buffer.from(key)).toString('hex'));
  }

  async #evict(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#dir)).map(async (name) => {
        const path = join(this.#dir, name);
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { path, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= this.#limitBytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }
}

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** A source that asks a second source for what takes long. So no picture waits for that. */
export function apart(
  source: ModelSource<Uint8Array>,
  startLasting: () => ModelSource<Uint8Array>,
): ModelSource<Uint8Array> {
  let lasting: ModelSource<Uint8Array> | null = null;
  return {
    load: (step, wanted, call) => source.load(step, wanted, call),
    ask: (view, question, call) =>
      (LASTING.has(view) || view === MEASURING_FIRST ? (lasting ??= startLasting()) : source).ask(
        view,
        question,
        call,
      ),
    end: () => {
      source.end();
      lasting?.end();
    },
  };
}

/**
 * A source that keeps on disk what takes long to make: lists, what comes later to them, findings, and what comparisons ask of a trace.
 * @param isKept whether models of the trace may be kept now
 * @param traceKey what the trace and the programs that make its models are known by
 * @param worthKeepingMs a model that takes less is not kept
 */
export function keeping(
  source: ModelSource<Uint8Array>,
  models: KeptModels,
  isKept: () => boolean,
  traceKey: () => Promise<string>,
  worthKeepingMs = WORTH_KEEPING_MS,
): ModelSource<Uint8Array> {
  /** Whether the source made the list that `later` goes on from. */
  let isMade = false;
  /** How long that took: another process would make it again to go on from it. */
  let listMs = 0;

  async function made(step: Step, wanted: Wanted, call: Parameters<typeof source.load>[2]): Promise<Made> {
    // Of a list that was kept the source knows nothing yet.
    if (step === 'later' && !isMade) await source.load('load', wanted, call);
    isMade = true;
    return source.load(step, wanted, call);
  }

  function keep(key: string, model: Made, beganMs: number, largestBytes: number): void {
    // A list depends on what its source knows already: another source may have something to add to its own list.
    if (model === null || model.length > largestBytes) return;
    const isWorth = performance.now() - beganMs >= worthKeepingMs;
    // What cannot be kept is made again.
    if (isWorth && isKept()) models.put(key, { model }).catch(() => undefined);
  }

  return {
    async load(step, wanted, call) {
      if (step === 'detail') return source.load(step, wanted, call);
      if (!isKept()) return made(step, wanted, call);
      const { view, params, range } = wanted;
      const key = JSON.stringify([await traceKey(), step, view, params, range]);
      const found = await models.get(key);
      if (found !== null) {
        if (step === 'load') isMade = false;
        return found.model;
      }
      const beganMs = performance.now();
      const aheadMs = step === 'later' && isMade ? listMs : 0;
      const fresh = await made(step, wanted, call);
      if (step === 'load') listMs = performance.now() - beganMs;
      keep(key, fresh, beganMs - aheadMs, LARGEST_PICTURE_BYTES);
      return fresh;
    },
    async ask(view, question, call) {
      const isFirst = view === MEASURING_FIRST;
      if (!(isFirst || LASTING.has(view)) || !isKept()) return source.ask(view, question, call);
      const key = JSON.stringify([await traceKey(), isFirst ? MEASURING : view, question]);
      const found = await models.get(key);
      if (found !== null) return found.model;
      if (isFirst) return source.ask(view, question, call);
      const beganMs = performance.now();
      return models.answer(key, async () => {
        const model = await source.ask(view, question, call);
        keep(key, model, beganMs, LARGEST_ANSWER_BYTES);
        return model;
      });
    },
    end: () => source.end(),
  };
}

/**
 * Where the judged ranks of a trace are kept, as models are.
 * @param traceKey what the trace and the programs that judge its ranks are known by
 */
export function keptRanks(models: KeptModels, traceKey: () => Promise<string>): KeptRanks {
  const key = async () => JSON.stringify([await traceKey(), 'judged ranks']);
  return {
    get: async () => {
      const model = (await models.get(await key()))?.model ?? null;
      return model === null ? null : (unpackModel(model) as readonly JudgedRank[]);
    },
    put: (ranks) => {
      const model = packModel(ranks);
      key()
        .then((of) => models.put(of, { model }))
        .catch(() => undefined);
    },
  };
}

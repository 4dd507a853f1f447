import { readParams } from '../../../shared/view/index.ts';
import { views, type AnyView } from '../../../views/index.ts';
import type { LoadedTrace } from '../state.ts';
import { areBuilt, modulesFor } from '../tables.ts';
import type { ListWish } from './load-parts.ts';
import type { Sources } from './source.ts';

/** First pictures that views make before their tables are built. */
export class Estimates {
  readonly #sources: Sources;
  readonly #made = new WeakMap<
    LoadedTrace,
    Map<AnyView, { readonly key: string; readonly model: unknown }>
  >();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The first picture that was made for a wish; undefined if none was. */
  of(trace: LoadedTrace, { view, key }: ListWish): unknown {
    const made = this.#made.get(trace)?.get(view);
    return made?.key === key ? made.model : undefined;
  }

  /** Makes those of the whole trace after `before`: once tables are built one after the other, a first picture would wait for them. */
  async makeAfter(
    trace: LoadedTrace,
    before: Promise<unknown>,
    keyOf: (wish: Omit<ListWish, 'key'>) => string,
  ) {
    const made = this.#made.get(trace) ?? new Map<AnyView, { key: string; model: unknown }>();
    this.#made.set(trace, made);
    await before;
    const { range } = trace.summary;
    const models = this.#sources.aside(trace);
    try {
      for (const view of views) {
        if (view.early === undefined || made.has(view) || areBuilt(modulesFor(view, trace))) continue;
        const params = readParams(view.params, {});
        const model = await models.load('early', { view: view.id, params, range }, {});
        made.set(view, { key: keyOf({ view, params, range }), model });
      }
    } finally {
      models.end();
    }
  }
}

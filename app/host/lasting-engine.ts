import { EngineError, type Engine } from '../../shared/engine/index.ts';

/** An engine that queries may end: it comes back. */
export type LastingEngine = Pick<Engine, 'query' | 'queryInParts' | 'end'>;

/**
 * Asks `first`, or what `again` gives where there is none. When a query has ended it, that query rejects, and those after it are
 * asked of what `again` gives. Where either rejects, so does the query that wanted it, and the next one tries anew.
 */
export function lastingEngine(
  first: Promise<Engine> | null,
  again: (signal: AbortSignal) => Promise<Engine>,
): LastingEngine {
  const ended = new AbortController();
  let engine = first;
  // Only a query looks at the result. Until then a failure has no other handler.
  first?.catch(() => undefined);

  /** Lets go of an engine that is gone, unless that was done already. */
  function drop(gone: Promise<Engine>): void {
    if (engine !== gone) return;
    engine = null;
    void end(gone);
  }

  async function ask<T>(run: (engine: Engine) => Promise<T>): Promise<T> {
    for (;;) {
      if (engine === null && ended.signal.aborted) throw new EngineError('ended', 'the engine was ended');
      const asked: Promise<Engine> = (engine ??= again(ended.signal));
      const working = await asked.catch((error: unknown) => {
        drop(asked);
        throw error;
      });
      try {
        return await run(working);
      } catch (error) {
        const kind = error instanceof EngineError ? error.kind : null;
        if (kind === 'crashed' || kind === 'not_asked') drop(asked);
        // What only waited when another query ended the engine is asked again.
        const waited = kind === 'not_asked' || (kind === 'ended' && engine !== asked);
        if (!waited || ended.signal.aborted) throw error;
      }
    }
  }

  return {
    query: (sql) => ask((working) => working.query(sql)),
    queryInParts: (sql, onPart) => ask((working) => working.queryInParts(sql, onPart)),
    async end() {
      ended.abort();
      if (engine !== null) await end(engine);
    },
  };
}

async function end(engine: Promise<Engine>): Promise<void> {
  await engine.then((each) => each.end()).catch(() => undefined);
}

import { describe, expect, test } from 'vitest';
import { EngineError, type Engine } from '../../shared/engine/index.ts';
import { OpenError, type OpenTrace } from './api.ts';
import { TraceEngines, type Loaded, type TraceOrigin } from './trace-engines.ts';

const NEEDS_WHOLE = 'SELECT * FROM sched';
const ENDS_ENGINE = 'SELECT too much';
const TRACE: OpenTrace = {
  id: 'a',
  name: 'a.etl',
  sizeBytes: 1,
  warnings: [],
  issues: [],
  summary: null,
  tables: [],
};

/** A trace whose outline is open, and what was done with it. A load is named by its number. */
async function openOutline() {
  const told: string[] = [];
  const fails = { load: false };
  let loads = 0;
  const origin: TraceOrigin = {
    load(extent): Promise<Loaded> {
      const name = `${extent} ${++loads}`;
      told.push(`load ${name}`);
      if (fails.load) return Promise.reject(new OpenError('file', 'no such file'));
      let isGone = false;
      const engine: Engine = {
        load: () => Promise.reject(new Error('is loaded')),
        query(sql) {
          told.push(`ask ${name}: ${sql}`);
          isGone ||= sql === ENDS_ENGINE;
          return isGone
            ? Promise.reject(new EngineError('crashed', 'no memory'))
            : Promise.resolve(new Uint8Array());
        },
        queryInParts: () => Promise.resolve(),
        giveReasons: () => Promise.resolve(),
        end: () => Promise.resolve(void told.push(`end ${name}`)),
      };
      const columns = {
        infos: [],
        read: () => new Uint8Array(),
        close: () => void told.push(`close columns ${name}`),
      };
      return Promise.resolve({ engine, trace: TRACE, columns: extent === 'outline' ? columns : null });
    },
    lost: () => Promise.resolve(void told.push('lost')),
  };
  const engines = new TraceEngines(origin, origin.load('outline', {}));
  await engines.trace();
  const query = (sql: string) => engines.ask(sql, (engine) => engine.query(sql));
  return { engines, query, told, fails };
}

describe('the engines of a trace', () => {
  test('the whole trace is loaded when SQL first needs it', async () => {
    const { engines, query, told } = await openOutline();
    await query('SELECT cpu_count FROM etw_trace');
    await query(NEEDS_WHOLE);
    await query(NEEDS_WHOLE);
    await engines.end();
    expect(told).toEqual([
      'load outline 1',
      'ask outline 1: SELECT cpu_count FROM etw_trace',
      'load whole 2',
      `ask whole 2: ${NEEDS_WHOLE}`,
      `ask whole 2: ${NEEDS_WHOLE}`,
      'close columns outline 1',
      'end outline 1',
      'end whole 2',
    ]);
  });

  test('an engine that a query has ended comes back with its symbols, and with columns until it ends', async () => {
    const { engines, told } = await openOutline();
    const ask = (sql: string) => engines.askFirst((engine) => engine.query(sql));
    await engines.putSymbols(() => Promise.resolve(void told.push('put symbols')), {});
    await expect(ask(ENDS_ENGINE)).rejects.toThrow('no memory');
    await ask('SELECT 1');
    expect(engines.hasSymbols).toBe(true);
    await engines.end();
    expect(told).toEqual([
      'load outline 1',
      'put symbols',
      `ask outline 1: ${ENDS_ENGINE}`,
      'end outline 1',
      'load outline 2',
      'put symbols',
      'ask outline 2: SELECT 1',
      'close columns outline 1',
      'close columns outline 2',
      'end outline 2',
    ]);
  });

  test('a restart loads what was loaded, without symbols; columns are read until it is done', async () => {
    const { engines, query, told } = await openOutline();
    await query(NEEDS_WHOLE);
    await engines.restart({});
    await query('SELECT cpu_count FROM etw_trace');
    expect(engines.hasSymbols).toBe(false);
    expect(told.slice(3)).toEqual([
      'end outline 1',
      'end whole 2',
      'load outline 3',
      'load whole 4',
      'close columns outline 1',
      'ask outline 3: SELECT cpu_count FROM etw_trace',
    ]);
  });

  test('a trace that cannot be loaded again is closed', async () => {
    const { engines, told, fails } = await openOutline();
    fails.load = true;
    await expect(engines.restart({})).rejects.toThrow('no such file');
    expect(told).toEqual([
      'load outline 1',
      'end outline 1',
      'load outline 2',
      'lost',
      'close columns outline 1',
    ]);
  });

  test('a whole that could not be loaded is loaded by the next SQL that needs it', async () => {
    const { query, told, fails } = await openOutline();
    fails.load = true;
    await expect(query(NEEDS_WHOLE)).rejects.toThrow('no such file');
    fails.load = false;
    await query(NEEDS_WHOLE);
    expect(told).toEqual(['load outline 1', 'load whole 2', 'load whole 3', `ask whole 3: ${NEEDS_WHOLE}`]);
  });
});

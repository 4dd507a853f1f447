import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MEASURING, measuringQuestion } from './model-source/index.ts';
import { MeasureBehind } from './measure-behind.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

describe('by the clock', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const never = () => new Promise<void>(() => undefined);

  test('it begins once, when no picture was loaded for a while', async () => {
    const measure = vi.fn(never);
    const behind = new MeasureBehind(measure, 1000);
    await vi.advanceTimersByTimeAsync(5000);
    await behind.first(() => Promise.resolve(1));
    await vi.advanceTimersByTimeAsync(900);
    const slow = behind.first(() => new Promise<void>((done) => setTimeout(done, 3000)));
    await vi.advanceTimersByTimeAsync(2900);
    expect(measure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1100);
    await slow;
    expect(measure).toHaveBeenCalledTimes(1);
    await behind.first(() => Promise.resolve(2));
    await vi.advanceTimersByTimeAsync(5000);
    expect(measure).toHaveBeenCalledTimes(1);
  });

  test('it waits while a picture is loaded, and ends with the trace', async () => {
    const told: string[] = [];
    const behind = new MeasureBehind(async (turn, signal) => {
      for (let asked = 0; asked < 3; asked++) {
        await turn().catch(() => undefined);
        told.push(signal.aborted ? 'has ended' : 'asks');
        await new Promise<void>((done) => setTimeout(done, 100));
      }
    }, 1000);
    await behind.first(() => Promise.resolve());
    await vi.advanceTimersByTimeAsync(1050);
    expect(told).toEqual(['asks']);
    const picture = behind.first(() => new Promise<void>((done) => setTimeout(done, 2000)));
    await vi.advanceTimersByTimeAsync(1900);
    expect(told).toEqual(['asks']);
    await vi.advanceTimersByTimeAsync(110);
    await picture;
    expect(told).toEqual(['asks', 'asks']);
    behind.end();
    await vi.advanceTimersByTimeAsync(100);
    expect(told).toEqual(['asks', 'asks', 'has ended']);
  });

  test('it never begins where the trace is closed before', async () => {
    const measure = vi.fn(never);
    const behind = new MeasureBehind(measure, 1000);
    await behind.first(() => Promise.resolve());
    behind.end();
    await behind.first(() => Promise.resolve());
    await vi.advanceTimersByTimeAsync(5000);
    expect(measure).not.toHaveBeenCalled();
  });
});

describeReal('a trace that somebody looks at', () => {
  const folder = temporaryFolder();
  const cache = join(folder, 'cache');
  const kept = () => {
    try {
      return readdirSync(join(cache, 'models')).filter((name) => !name.startsWith('partial-'));
    } catch {
      return [];
    }
  };

  test('is measured behind its first picture, and what compares it finds that', async () => {
    const path = writeTrace(join(folder, 'switches.etl'), 'switches', '--count', '300000');
    const host = startHost(cache, { measuresBehind: true });
    const { id, summary } = await host.open(path, { columns: true });
    if (summary === null || host.models === undefined) throw new Error('no Windows trace');
    const source = host.models(id);
    // Nothing is kept of a detail.
    await source.load('detail', { view: 'context-switches', params: {}, range: summary.range }, {});
    await vi.waitFor(() => expect(kept()).toHaveLength(1), { timeout: 30_000, interval: 100 });
    const files = kept();
    await host.end();

    const another = startHost(cache);
    await another.open(path, { columns: true });
    const question = measuringQuestion({ range: summary.range });
    expect(await another.models?.(id).ask(MEASURING, question, {})).toBeInstanceOf(Uint8Array);
    await sleep(500);
    expect(kept()).toEqual(files);
  });
});

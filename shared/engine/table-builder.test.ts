import { expect, test } from 'vitest';
import { makeQuery } from './bind.ts';
import { TableBuilder, type TablesProgress } from './table-builder.ts';
import { EngineBench } from './testing/start.ts';
import { lockScreenTrace } from './testing/lock-screen.ts';

async function loadedEngine(bench: EngineBench) {
  const engine = bench.start();
  await engine.load(await bench.file('lock.pftrace', lockScreenTrace()), () => undefined);
  return makeQuery((sql) => engine.query(sql));
}

test('modules are built one by one, what was asked for last first, and queries come in between', async () => {
  const bench = await EngineBench.make();
  const query = await loadedEngine(bench);
  const progress: TablesProgress[] = [];
  const happened: string[] = [];
  const builder = new TableBuilder(query, (step) => {
    progress.push(step);
    happened.push(step.building ?? 'all');
  });

  const background = builder.need(['etw.cpu', 'etw.thread_rank']);
  const asked = query('SELECT 1').then(() => happened.push('a query'));
  await builder.need(['etw.ran']);
  await Promise.all([background, asked]);
  await builder.need(['etw.run']);

  expect(happened.slice(0, 8)).toEqual([
    'etw.trace',
    'etw.names',
    'a query',
    'etw.words',
    'etw.run_fact',
    'etw.run',
    'etw.ran',
    'etw.generic_event',
  ]);
  expect(progress.at(-1)).toEqual({
    building: null,
    built: new Set(happened.filter((name) => name.startsWith('etw.'))),
  });
  await bench.end();
});

test('where the engine is gone, all who wait are told', async () => {
  const bench = await EngineBench.make();
  const query = await loadedEngine(bench);
  const builder = new TableBuilder(query, () => undefined);
  const waiting = Promise.all(
    [builder.need(['etw.cpu']), builder.need(['etw.run'])].map((need) =>
      expect(need).rejects.toThrow('the engine was ended'),
    ),
  );
  await bench.end();
  await waiting;
});

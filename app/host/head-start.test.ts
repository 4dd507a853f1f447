import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenProgress } from './api.ts';
import { describeReal, startHost, temporaryFolder, writeTrace } from './testing/real.ts';

describeReal('a file that was never read is converted while its hash is read', () => {
  const folder = temporaryFolder();
  const cacheDir = join(folder, 'cache');
  const host = startHost(cacheDir, { headStartBytes: 0 });
  const entries = (): string[] => readdirSync(join(cacheDir, 'traces'));
  const path = writeTrace(join(folder, 'verdicts.etl'), 'verdicts');

  async function open(file: string): Promise<{ readonly id: string; readonly stages: string[] }> {
    const stages = new Set<OpenProgress['stage']>();
    const { id } = await host.open(file, {
      columns: true,
      onProgress: ({ stage }) => stages.add(stage),
    });
    await host.close(id);
    return { id, stages: [...stages] };
  }

  test('and is in the cache by its hash, once', async () => {
    const { id, stages } = await open(path);
    expect(stages).toEqual(['hash', 'convert']);
    expect(entries().map((name) => name.startsWith(`${id}-`))).toEqual([true]);
  });

  test('and nothing stays of the conversion where the cache has its trace by another name', async () => {
    const before = entries();
    const copy = join(folder, 'copy.etl');
    copyFileSync(path, copy);
    expect((await open(copy)).stages).toEqual(['hash']);
    expect(entries()).toEqual(before);
  });

  test('and the converter says what is wrong with it', async () => {
    const before = entries();
    const text = join(folder, 'text.etl');
    writeFileSync(text, 'no trace '.repeat(100_000));
    await expect(open(text)).rejects.toMatchObject({
      kind: 'not_a_trace',
      message: expect.stringContaining(text) as string,
    });
    expect(entries()).toEqual(before);
  });

  test('and a caller that has gone ends both', async () => {
    const before = entries();
    const other = writeTrace(join(folder, 'other.etl'), 'minimal');
    const controller = new AbortController();
    const opening = host.open(other, { columns: true, signal: controller.signal });
    controller.abort();
    await expect(opening).rejects.toThrow();
    expect(entries()).toEqual(before);
  });
});

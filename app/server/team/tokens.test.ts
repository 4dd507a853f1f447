import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../host/testing/real.ts';
import { addToken, Tokens } from './tokens.ts';

test('a token that is added within one tick of the file system’s clock counts', async () => {
  const path = join(temporaryFolder(), 'tokens.json');
  await addToken(path, 'ann', 'view');
  // Whole seconds, which every file system keeps as they are.
  utimesSync(path, 1, 1);
  const tokens = await Tokens.open(path);
  const token = await addToken(path, 'ben', 'upload');
  utimesSync(path, 1, 1);
  expect(statSync(path).mtimeMs).toBe(1000);
  expect(await tokens.holder(token)).toEqual({ name: 'ben', role: 'upload' });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folders = ['app', 'panels', 'shared', 'test', 'views'];

test('names that begin with `_etw_` are used by the package and its tests alone', () => {
  const texts = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => /\.(?:tsx?|sql|md)$/.test(path) && !path.startsWith(join('shared', 'sql')));
  const users = texts.filter((path) => /\b_etw_\w/.test(readFileSync(join(root, path), 'utf8')));
  expect({ looked_at: texts.length > 1000, users }).toEqual({ looked_at: true, users: [] });
});

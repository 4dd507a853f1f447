import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modulesNamedIn, withIncluded } from '../shared/sql/modules.ts';
import { views } from './index.ts';

test.each(views.map(({ id, modules, later }) => ({ id, modules: [...modules, ...(later?.modules ?? [])] })))(
  '$id declares the modules that its SQL needs, and none twice',
  ({ id, modules }) => {
    const folder = new URL(`./${id}/`, import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    const named = files.flatMap((name) => modulesNamedIn(readFileSync(new URL(name, folder), 'utf8')));
    expect(withIncluded(modules)).toEqual(expect.arrayContaining([...named]));
    for (const module of modules) {
      expect(withIncluded(modules.filter((other) => other !== module))).not.toContain(module);
    }
  },
);

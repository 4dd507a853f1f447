import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modulesNamedIn, withIncluded } from '../shared/sql/modules.ts';
import { views } from './index.ts';

test.each(views.map(({ id, modules, later }) => ({ id, modules, later: later?.modules ?? [] })))(
  '$id declares the modules that its SQL needs, and none twice',
  ({ id, modules, later }) => {
    const folder = new URL(`./${id}/`, import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    const named = files.flatMap((name) => modulesNamedIn(readFileSync(new URL(name, folder), 'utf8')));
    expect(withIncluded([...modules, ...later])).toEqual(expect.arrayContaining([...named]));
    for (const list of [modules, later]) {
      for (const module of list) {
        expect(withIncluded(list.filter((other) => other !== module))).not.toContain(module);
      }
    }
  },
);

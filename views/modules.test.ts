import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { signalOf, signalsOf } from '../shared/recording/index.ts';
import { modulesNamedIn, withIncluded } from '../shared/sql/modules.ts';
import { views } from './index.ts';

test.each(views.map((view) => ({ ...view, later: view.later?.modules ?? [] })))(
  '$id declares the modules that its SQL needs, and none twice',
  ({ id, modules, later, recording }) => {
    const folder = new URL(`./${id}/`, import.meta.url);
    // What a user goes on from, a user asks.
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql') && name !== 'query.sql');
    const named = files.flatMap((name) => modulesNamedIn(readFileSync(new URL(name, folder), 'utf8')));
    const evidence = (recording?.needs ?? []).flatMap(signalsOf).map((signal) => signalOf(signal).evidence);
    named.push(...modulesNamedIn(evidence.map(({ table, where = '' }) => `${table} ${where}`).join(' ')));
    expect(withIncluded([...modules, ...later])).toEqual(expect.arrayContaining([...named]));
    for (const list of [modules, later]) {
      for (const module of list) {
        expect(withIncluded(list.filter((other) => other !== module))).not.toContain(module);
      }
    }
  },
);

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/**
 * Where it is told that more exists than a LIMIT lets through: a file, and text in it. A limit that is told nowhere cuts in
 * silence. `null` stands for one that leaves nothing out of a list: it bounds a look-up.
 */
const TOLD: Readonly<Record<string, readonly [file: string, text: string] | null>> = {
  'panels/lake/machines-by-finding.panel.sql LIMIT :top': [
    'panels/lake/machines-by-finding.panel.sql',
    'How many rows are shown.',
  ],
  'panels/lake/model-outliers.panel.sql LIMIT :top': [
    'panels/lake/model-outliers.panel.sql',
    'How many rows are shown.',
  ],
  'panels/lake/slow-not-fast.panel.sql LIMIT :top': [
    'panels/lake/slow-not-fast.panel.sql',
    'How many chains are shown.',
  ],
  'panels/lake/traces-like-this.panel.sql LIMIT :top': [
    'panels/lake/traces-like-this.panel.sql',
    'How many traces are shown.',
  ],
  'panels/ready-time-by-reason.panel.sql LIMIT :top': [
    'panels/ready-time-by-reason.panel.sql',
    'How many rows are shown.',
  ],
  'panels/switch-pairs.panel.sql LIMIT :top': ['panels/switch-pairs.panel.sql', 'How many pairs are shown.'],
  'shared/findings/rules/user-lock-contention.sql LIMIT 51': [
    'shared/findings/run-rules.ts',
    'const MAX_ROWS = 50;',
  ],
  'shared/findings/run-rule.sql LIMIT :max_rows + 1': [
    'app/cli/findings-text.ts',
    'Found more than is listed',
  ],
  'shared/panel/run-panel.sql LIMIT :max_rows + 1': ['shared/panel/load-panel.ts', 'more: result.rowCount'],
  'shared/sql/etw/ready_wait_long.sql LIMIT 1000': [
    'shared/sql/etw/ready_wait_long.sql',
    'All ready waits but those of `etw_ready_wait_long`',
  ],
  'shared/sql/etw/ready_wait_long.sql LIMIT 10000': [
    'shared/sql/etw/ready_wait_long.sql',
    'All ready waits but those of `etw_ready_wait_long`',
  ],
  'shared/sql/etw/ready_wait_rank.sql LIMIT ifnull((SELECT max(20, min(1000, 250000 / runs_in_10_ms': [
    'shared/sql/etw/ready_wait_rank.sql',
    'Judged are the longest of these waits, 1000 at most',
  ],
};

test('each LIMIT of a list says what it leaves out', () => {
  const files = ['views', 'shared', 'panels'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      // The SQL of a view is the user's to change, and shows its LIMIT.
      .filter((name) => name.endsWith('.sql') && !name.endsWith('/query.sql'))
      .map((name) => `${folder}/${name}`),
  );
  const limits = files.flatMap((file) =>
    // An example in a comment is the user's.
    [
      ...read(file)
        .replaceAll(/^--.*$/gm, '')
        .matchAll(/\bLIMIT (?!1\b)[^\n;)]+/g),
    ].map(([limit]) => `${file} ${limit.trim()}`),
  );
  expect([...new Set(limits)].sort()).toEqual(Object.keys(TOLD).sort());
  for (const told of Object.values(TOLD)) if (told !== null) expect(read(told[0])).toContain(told[1]);
});

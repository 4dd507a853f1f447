import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Dependencies point one way: `shared` knows nobody, `views` know `shared`, `app` knows both. */
function forbid(files, patterns) {
  return {
    files,
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: patterns.map(([regex, message]) => ({ regex, message })) },
      ],
    },
  };
}

const BELOW = ['/(app|views|test|panels)/', 'shared/ uses nothing above it'];

/** What a folder of `shared` may use of the others, as docs/architecture.md says. */
const SHARED_USES = {
  border: ['model'],
  causes: ['engine', 'events', 'model', 'recording', 'samples', 'tables', 'threads', 'why-late'],
  columns: ['model'],
  contrast: ['causes', 'compare', 'engine', 'tables', 'threads'],
  'cpu-sum': ['engine', 'tables'],
  events: ['columns', 'engine', 'tables'],
  exits: ['engine', 'events', 'tables', 'threads', 'why-late'],
  engine: ['border', 'columns', 'model', 'sql'],
  growth: ['tables'],
  lake: ['panel', 'view'],
  model: ['engine', 'view'],
  profile: ['model', 'samples', 'tables', 'threads'],
  'ready-waits': ['engine', 'model', 'tables', 'threads', 'why-late'],
  recording: ['engine', 'model', 'tables'],
  releases: ['engine', 'tables', 'threads'],
  samples: ['engine', 'model', 'tables'],
  tables: ['columns', 'engine', 'model', 'sql'],
  threads: ['engine', 'events', 'tables'],
  timeline: ['engine', 'tables', 'why-late'],
  wasi: [],
  'why-late': ['engine', 'tables'],
};

const SHARED = readdirSync(new URL('shared', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Holds a folder of `shared` to the others that it may use. */
function sharedArrow(folder, uses) {
  const others = SHARED.filter((name) => name !== folder && !uses.includes(name));
  const allowed = uses.length === 0 ? 'nothing' : uses.map((name) => `shared/${name}`).join(', ');
  return forbid(
    [`shared/${folder}/**`],
    [BELOW, [`^(\\.\\./)+(${others.join('|')})/`, `shared/${folder} uses ${allowed} only`]],
  );
}

export default tseslint.config(
  { ignores: ['dist/', 'vendor/', 'coverage/', 'converter/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Iterators of typed arrays take several times as long as indices, and there are millions of rows.
      '@typescript-eslint/prefer-for-of': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', Buffer: 'readonly', URL: 'readonly' },
    },
  },
  {
    files: ['scripts/electron-shim/**'],
    languageOptions: { sourceType: 'commonjs', globals: { require: 'readonly' } },
  },
  { files: ['app/ui/public/**'], languageOptions: { globals: { window: 'readonly' } } },
  forbid(['shared/**'], [BELOW]),
  ...Object.entries(SHARED_USES).map(([folder, uses]) => sharedArrow(folder, uses)),
  {
    ...forbid(
      ['app/host/**'],
      [
        [
          '^(\\.\\./)+(cli|electron|fleet|mcp|models|questions|server|ui|web|views)/',
          'app/host uses shared/ only',
        ],
      ],
    ),
    // Benchmarks measure views too.
    ignores: ['**/*.test.ts', 'app/host/testing/**'],
  },
  forbid(
    ['app/mcp/**'],
    [
      [
        '^(\\.\\./)+(cli|electron|server|ui|web)/',
        'app/mcp uses app/fleet, app/host, app/questions, panels/, shared/, views/',
      ],
    ],
  ),
  forbid(
    ['app/models/**'],
    [['^(\\.\\./)+(cli|electron|mcp|questions|server|ui|web)/', 'app/models uses app/host, shared/, views/']],
  ),
  forbid(
    ['app/questions/**'],
    [['^(\\.\\./)+(cli|electron|mcp|server|ui|web)/', 'app/questions uses app/host, shared/, views/']],
  ),
  forbid(
    ['app/fleet/**'],
    [
      [
        '^(\\.\\./)+(cli|electron|mcp|models|ui|web|server/(?!store/))/',
        'app/fleet uses app/host, app/questions, app/server/store, shared/, views/',
      ],
    ],
  ),
  forbid(['panels/**'], [['/(app|views|test)/', 'panels/ use shared/ only']]),
  forbid(
    ['views/**'],
    [
      ['/(app|test)/', 'views/ use shared/ and views/kit only'],
      ['^\\.\\./(?!kit/|shared/|\\.\\./)', 'views never import one another'],
    ],
  ),
);

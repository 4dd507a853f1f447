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

export default tseslint.config(
  { ignores: ['dist/', 'vendor/', 'coverage/', 'converter/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
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
  forbid(['shared/**'], [['/(app|views|test|panels)/', 'shared/ uses nothing above it']]),
  forbid(
    ['shared/border/**'],
    [['^(\\.\\./)+(?!model/|testing/)[\\w-]+/', 'shared/border uses shared/model only']],
  ),
  forbid(
    ['shared/columns/**'],
    [['^(\\.\\./)+(?!model/|testing/|sqlite-pages/)[\\w-]+/', 'shared/columns uses shared/model only']],
  ),
  forbid(
    ['shared/tables/**'],
    [
      [
        '^(\\.\\./)+(?!columns/|engine/|model/)[\\w-]+/',
        'shared/tables uses shared/columns, shared/engine, shared/model only',
      ],
    ],
  ),
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

import { defineConfig } from 'vitest/config';
import { sqlText } from './scripts/sql-text.mjs';

/** Tests that put other modules in the place of ours, or count on what a module holds at first: no other file shares theirs. */
const OWN_MODULES = ['app/fleet/lake/two-versions.test.ts', 'app/ui/panels/*.test.ts'];

/** Tests that sit by what they test. End-to-end tests have their own configuration in `test/`. */
export default defineConfig({
  plugins: [sqlText()],
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'app',
          include: ['app/**/*.test.{ts,tsx}'],
          exclude: ['app/{host,models}/**', ...OWN_MODULES],
          globalSetup: ['scripts/build.mjs'],
          setupFiles: ['app/host/testing/set-up.ts'],
          // What these change they change back.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'app, own modules',
          include: OWN_MODULES,
          globalSetup: ['scripts/build.mjs'],
          setupFiles: ['app/host/testing/set-up.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'host and stories',
          include: ['app/{host,models}/**/*.test.ts', 'test/stories/**/*.test.ts'],
          globalSetup: ['scripts/build.mjs'],
          setupFiles: ['app/host/testing/set-up.ts'],
          // What these change they change back. Modules are imported, and the engine is compiled, once for all files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'shared and views',
          include: ['{panels,shared,views}/**/*.test.{ts,tsx}'],
          // These change nothing outside themselves: importing modules anew for each file takes half of the time.
          isolate: false,
        },
      },
    ],
    // By itself Vitest leaves a processor to the one who watches.
    maxWorkers: '100%',
    // On a busy machine of two processors the longest take a minute.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});

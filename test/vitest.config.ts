import { defineConfig } from 'vitest/config';
import { sqlText } from '../scripts/sql-text.mjs';
import { electronFolder } from './support/places.ts';

/** End-to-end tests: one at a time, since each starts programs that want the whole machine. */
export default defineConfig({
  plugins: [sqlText()],
  test: {
    include: ['test/*.test.ts'],
    fileParallelism: false,
    // They change nothing in their own process: importing modules anew for each file takes a second.
    isolate: false,
    // A start of the app takes 2 s on an idle machine.
    testTimeout: 180_000,
    // Two lanes share the machine: what fails is tried once more, and the report names it.
    retry: 1,
    hookTimeout: 180_000,
    env: {
      // Where Playwright finds Electron.
      ELECTRON_OVERRIDE_DIST_PATH: electronFolder,
      // WebAssembly is compiled once, quickly: traces of tests are too small for better code to pay.
      OUTRANK_TEST_V8_FLAGS: '--liftoff-only',
    },
  },
});

import { defineConfig } from 'vitest/config';
import { sqlText } from './scripts/sql-text.mjs';

/** Tests that sit by what they test. End-to-end tests have their own configuration in `test/`. */
export default defineConfig({
  plugins: [sqlText()],
  test: {
    globalSetup: ['scripts/build.mjs'],
    include: ['{app,panels,shared,views}/**/*.test.{ts,tsx}'],
    // By itself Vitest leaves a processor to the one who watches.
    maxWorkers: '100%',
    // On a busy machine of two processors the longest take a minute.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});

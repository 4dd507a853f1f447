import { defineConfig } from 'vitest/config';
import { sqlText } from '../scripts/sql-text.mjs';

/** Tests that take minutes and gigabytes of disk and memory, which are not among those that `scripts/test` runs. */
export default defineConfig({
  plugins: [sqlText()],
  test: {
    include: ['test/long/*.test.ts'],
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
  },
});

import { defineConfig } from 'vitest/config';
import { sqlText } from '../scripts/sql-text.mjs';

/** Tests of what `scripts/package.mjs` made, which are not among those that `scripts/test` runs: they want minutes. */
export default defineConfig({
  plugins: [sqlText()],
  test: {
    include: ['test/packages/*.test.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../../dist/cli/main.js', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  console.error('outrank: not built yet: run scripts/setup.sh, or where that was done before, npm run build');
  process.exitCode = 1;
}

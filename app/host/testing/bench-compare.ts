/** Measures comparisons as processes: `node scripts/bench.mjs compare A.etl… B.etl…`, as many of the one as of the other. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measured } from './measured.ts';

const OUTRANK = fileURLToPath(new URL('../../cli/outrank.mjs', import.meta.url));
/** How often traces are compared for the first time, and how often again. The best time of each is reported. */
const [FIRST, AGAIN] = [3, 5];

/** Converts all traces first, and tells what their first comparison takes, and the same once more. */
export async function bench(...paths: readonly string[]): Promise<Measured[]> {
  if (paths.length === 0 || paths.length % 2 !== 0) throw new Error('give as many traces of A as of B');
  const half = paths.length / 2;
  const args = [OUTRANK, 'compare', ...paths.slice(0, half), '--with', ...paths.slice(half)];
  const cacheDir = await mkdtemp(join(tmpdir(), 'outrank-bench-'));
  const best_s = (times: number, one_s: () => number) => Math.min(...Array.from({ length: times }, one_s));
  const compare_s = () => {
    const began = performance.now();
    execFileSync(process.execPath, args, { env: { ...process.env, OUTRANK_CACHE: cacheDir } });
    return (performance.now() - began) / 1000;
  };
  try {
    compare_s();
    const first_s = () => {
      rmSync(join(cacheDir, 'models'), { recursive: true, force: true });
      return compare_s();
    };
    const figures = [
      ['of converted traces', best_s(FIRST, first_s)],
      ['of traces that were compared before', best_s(AGAIN, compare_s)],
    ] as const;
    return figures.map(([measure, seconds]) => {
      const value = `${seconds.toFixed(2)} s`;
      console.log(`${measure}: ${value}`);
      return { area: 'Compare', measure: `outrank compare, as a process, ${measure}`, value };
    });
  } finally {
    await rm(cacheDir, { recursive: true });
  }
}

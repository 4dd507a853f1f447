/** Answers what the benchmark of causes asks, in the program that makes models of views: all but the longest waits is left there. */
import { parentPort } from 'node:worker_threads';
import { messagePort } from '../../../shared/border/index.ts';
import {
  loadBlame,
  loadEpisodes,
  longestWaits,
  partition,
  whatIf,
  type Delay,
} from '../../../shared/causes/index.ts';
import { contrastEpisodes } from '../../../shared/contrast/index.ts';
import type { Query } from '../../../shared/engine/index.ts';
import { dataOf, type Stretch } from '../../../shared/tables/index.ts';
import { openArrowFolder } from '../../../shared/tables/arrow-folder.ts';
import { loadMachine } from '../../../shared/why-late/columns/index.ts';
import { serveModels, type OwnAnswers } from '../../models/serve-models.ts';

/** By name: what is asked. */
export interface Asked {
  readonly delay: Delay;
  readonly episodes: Stretch;
  readonly contrast: Stretch;
  /** What if a thread had rank 0. */
  readonly whatIf: { readonly replayed: Stretch; readonly utid: number };
  readonly blame: Stretch;
  readonly longestWaits: number;
}

const ANSWERS: { readonly [K in keyof Asked]: (query: Query, asked: Asked[K]) => Promise<unknown> } = {
  delay: partition,
  episodes: loadEpisodes,
  contrast: (query, range) => contrastEpisodes(query, range, 'wake'),
  async whatIf(query, { replayed, utid }) {
    const { cpu_count } = await loadMachine(dataOf(query).tables);
    const utids = new Set([utid]);
    return whatIf(query, replayed, cpu_count, { kind: 'rank', utids, rank: 0 }, utids);
  },
  blame: loadBlame,
  longestWaits,
};

const own: OwnAnswers = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, answer]) => [
    name,
    async (asked: unknown, query: Query) => {
      const answered = await answer(query, asked as never);
      return name === 'longestWaits' ? answered : null;
    },
  ]),
);

if (parentPort === null) throw new Error('this is the program of a worker thread');
serveModels(messagePort(parentPort), {
  write: (model) => model,
  handsOver: false,
  openFolder: openArrowFolder,
  own,
});

import {
  readLakeAnswer,
  readServedLake,
  type LakeAnswer,
  type LakeAsk,
  type ServedLake,
} from '../../../shared/lake/index.ts';
import { OpenError, type RemoteLakes } from '../api.ts';
import type { TracePlaces } from '../trace-places.ts';
import { askServer } from './server.ts';
import type { TeamServer } from './server-schema.ts';

/** More than any answer of a lake has: 10,000 rows of texts. */
const LONGEST_ANSWER_BYTES = 64 << 20;

/** Asks the lakes of servers; their traces lie where `places` noted them. */
export function remoteLakes(places: TracePlaces): RemoteLakes {
  return {
    async about(server, signal): Promise<ServedLake> {
      const answer = await askServer(server, '/api/lake', { signal });
      return of(server, readServedLake(await answer.json(LONGEST_ANSWER_BYTES)));
    },
    async ask(server, asked: LakeAsk, signal): Promise<LakeAnswer> {
      const body = JSON.stringify(asked);
      const answer = await askServer(server, '/api/lake/ask', { method: 'POST', body, signal });
      return of(server, readLakeAnswer(await answer.json(LONGEST_ANSWER_BYTES)));
    },
    async placeOf(id): Promise<string | null> {
      return (await places.find(id))?.path ?? null;
    },
  };
}

function of<T>({ origin }: TeamServer, read: T | null): T {
  if (read === null) throw new OpenError('server', `${origin}: what answers there is no lake of Outrank`);
  return read;
}

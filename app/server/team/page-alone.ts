import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { sendFile } from '../static-files.ts';
import { TeamError } from './team-error.ts';

/** Under which the page that works alone is served: it is public, and reads nothing of this server but its own files. */
const AT = '/alone';
/** The file of its build that says the policy of all of its files. */
const POLICY = 'policy.txt';

/** Answers with a file of the page that works alone, under its own policy, which so binds its workers from the first visit on. */
export async function sendPageAlone(
  folder: string,
  pathname: string,
  response: ServerResponse,
): Promise<void> {
  if (pathname === AT) {
    // The page names its files relative to its address, which must end with a slash for that.
    response.writeHead(302, { location: `${AT}/` });
    response.end();
    return;
  }
  const policy = await readFile(join(folder, POLICY), 'utf8').catch(() => {
    throw new TeamError(404, 'this server has no page that works alone');
  });
  response.setHeader('content-security-policy', policy.trim());
  if (!(await sendFile(folder, pathname.slice(AT.length), response))) throw new TeamError(404, 'not found');
}

import { parseArgs } from 'node:util';
import { addToken, readTokens, revokeTokens, ROLES } from '../server/team/tokens.ts';
import { choice, only, UsageError } from './command.ts';
import type { Command } from './command.ts';
import { print, say } from './terminal.ts';

const ACTIONS = ['add', 'revoke', 'list'] as const;

/** `outrank token`: who may use a team server. */
export const token: Command = {
  name: 'token',
  usage: 'add|revoke|list [NAME] --tokens FILE [--role view|upload|admin]',
  summary: 'give out and take back the tokens of a team server (outrank serve --store … --tokens FILE)',
  details: [
    'add NAME      prints a new token for NAME; the file holds its hash alone, so that it cannot be shown again',
    'revoke NAME   takes back all tokens of NAME; a running server knows within a second',
    'list          who has one, and what they may do: view; upload, and delete what is theirs; admin, all',
    '--role ROLE   what the new token allows; upload by default',
  ],
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { tokens: { type: 'string' }, role: { type: 'string', default: 'upload' } },
    });
    const [given = '', ...names] = positionals;
    const action = ACTIONS.find((each) => each === given);
    if (action === undefined) throw new UsageError('token takes add, revoke or list: outrank help token');
    const path = values.tokens;
    if (path === undefined) throw new UsageError('--tokens FILE is missing');
    if (action === 'add') {
      await print([`${await addToken(path, only(names, 'name'), choice('role', values.role, ROLES))}\n`]);
    } else if (action === 'revoke') {
      const name = only(names, 'name');
      const count = await revokeTokens(path, name);
      if (count === 0) throw new UsageError(`${path}: there is no token of ${name}`);
      say(`${count} ${count === 1 ? 'token' : 'tokens'} of ${name} taken back`);
    } else {
      await print((await readTokens(path)).map(({ name, role }) => `${name}\t${role}\n`));
    }
    return 0;
  },
};

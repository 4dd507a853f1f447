import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FailedRule, RuleFile } from '../../shared/findings/index.ts';
import { OpenError } from './api.ts';
import type { RuleFolder } from './api.ts';

/** A rule longer than this is none, in bytes; nor are there more than this many. */
const MAX_BYTES = 1 << 20;
const MAX_FILES = 1000;

/** The user's folder for Outrank. */
export function configDir(): string {
  const { env, platform } = process;
  const config = env.XDG_CONFIG_HOME ?? (platform === 'win32' ? env.APPDATA : undefined);
  return join(config ?? join(homedir(), '.config'), 'outrank');
}

/** Where a user keeps rules of their own. */
export function rulesDir(): string {
  return join(configDir(), 'rules');
}

/** The rules in a folder, by name. That there is no such folder is an error, unless `optional` is set. */
export async function readRuleFiles(dir: string, optional: boolean): Promise<RuleFolder> {
  const files: RuleFile[] = [];
  const refused: FailedRule[] = [];
  const names = await readdir(dir).catch((error: unknown) => {
    if (isMissing(error) && !optional) throw new OpenError('file', `${dir}: no such folder`);
    if (!isMissing(error)) refused.push({ id: dir, message: `${dir}: cannot be read: ${String(error)}` });
    return [];
  });
  const rules = names.filter((each) => each.endsWith('.sql')).sort();
  for (const name of rules.slice(0, MAX_FILES)) {
    const path = join(dir, name);
    const refuse = (why: string) => refused.push({ id: name, message: `${path}: ${why}` });
    try {
      const stats = await stat(path);
      if (!stats.isFile()) refuse('is no file');
      else if (stats.size > MAX_BYTES) refuse(`${stats.size} bytes are too many for a rule`);
      else files.push({ name, text: await readFile(path, 'utf8') });
    } catch (error) {
      // A file that was removed meanwhile is no rule.
      if (!isMissing(error)) refuse(`cannot be read: ${String(error)}`);
    }
  }
  if (rules.length > MAX_FILES)
    refused.push({ id: dir, message: `${dir}: more than ${MAX_FILES} rules: the others do not run` });
  return { files, refused };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RuleFile } from '../../shared/findings/index.ts';
import { OpenError } from './api.ts';

/** A rule longer than this is none, in bytes; nor are there more than this many. */
const MAX_BYTES = 1 << 20;
const MAX_FILES = 1000;

/** The user's folder for Outrank. */
export function configDir(env: NodeJS.ProcessEnv = process.env): string {
  const config = env.XDG_CONFIG_HOME ?? (process.platform === 'win32' ? env.APPDATA : undefined);
  return join(config ?? join(homedir(), '.config'), 'outrank');
}

/** Where a user keeps rules of their own. */
export function rulesDir(env: NodeJS.ProcessEnv = process.env): string {
  return join(configDir(env), 'rules');
}

/** The rules in a folder, by name; none if there is no such folder and `optional` is set. */
export async function readRuleFiles(dir: string, optional = false): Promise<RuleFile[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (optional && missing) return [];
    throw new OpenError('file', `${dir}: ${missing ? 'no such folder' : `cannot be read: ${String(error)}`}`);
  });
  const files: RuleFile[] = [];
  for (const name of names.filter((each) => each.endsWith('.sql')).sort()) {
    if (files.length === MAX_FILES) throw new OpenError('file', `${dir}: more than ${MAX_FILES} rules`);
    const path = join(dir, name);
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new OpenError('file', `${path}: ${size} bytes are too many for a rule`);
    files.push({ name, text: await readFile(path, 'utf8') });
  }
  return files;
}

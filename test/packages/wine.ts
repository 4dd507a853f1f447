import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/places.ts';
import { printed } from './made.ts';

const folder = join(root, 'vendor', 'wine');

/** Whether programs for Windows can be run here; a line says so if not. */
export function hasWine(): boolean {
  const has = process.getuid?.() === 0 && existsSync(join(folder, '.installed'));
  if (!has)
    console.warn('SKIPPED: what is run on Wine, since it wants root and what scripts/fetch-wine.sh fetches');
  return has;
}

/**
 * Runs a command on Wine to its end, in a Debian of its own.
 * @param shared a folder, which the command finds as `/mnt` and `Z:\mnt`; Wine's drives are kept in it
 * @returns what it prints; it must succeed
 */
export function inWine(shared: string, ...command: readonly string[]): string {
  return printed('unshare', argumentsFor(shared, command));
}

/** Starts a command there. When it is killed, so are all processes that it started. */
export function startInWine(shared: string, ...command: readonly string[]): ChildProcess {
  return spawn('unshare', argumentsFor(shared, command), { stdio: 'ignore' });
}

function argumentsFor(shared: string, command: readonly string[]): string[] {
  const script = join(import.meta.dirname, 'in-wine.sh');
  return ['--mount', '--pid', '--fork', '--kill-child', script, folder, shared, ...command];
}

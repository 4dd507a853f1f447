import { vi } from 'vitest';
import { atEnd } from '../../host/testing/at-end.ts';
import { S3_ACCESS } from './testing.ts';

/** Gives this process access to the test's object storage, and sets other variables, until the tests of this file have ended. */
export function stubAccess(others: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries({ ...S3_ACCESS, ...others })) vi.stubEnv(name, value);
  atEnd(() => vi.unstubAllEnvs());
}

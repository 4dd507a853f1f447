import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findCheckout } from '../../host/locate.ts';

const installed = join(findCheckout(import.meta.dirname), 'vendor', 's3-server', 'bin', 's3s-fs');

/** `s3s-fs`, a real server of the S3 protocol with signatures, which `scripts/setup.sh --for-tests` installs. */
export const hasS3Server = existsSync(installed);
if (!hasS3Server)
  console.warn(`SKIPPED, the tests with an S3 server: run scripts/setup.sh --for-tests; no ${installed}`);

/** What a client of the server that {@link startS3Server} starts needs, but for its address. */
export const S3_ACCESS = {
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_REGION: 'here',
};

/** Starts an S3 server whose buckets are folders in `objects`; resolves when it listens. The caller ends it. */
export async function startS3Server(objects: string, bucket: string, port: number): Promise<ChildProcess> {
  mkdirSync(join(objects, bucket), { recursive: true });
  const keys = ['--access-key', S3_ACCESS.AWS_ACCESS_KEY_ID, '--secret-key', S3_ACCESS.AWS_SECRET_ACCESS_KEY];
  const child = spawn(installed, [...keys, '--host', '127.0.0.1', '--port', String(port), objects], {
    stdio: 'ignore',
  });
  while (!(await listens(port))) await setTimeout(50);
  return child;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

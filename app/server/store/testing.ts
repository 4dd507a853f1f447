import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findCheckout } from '../../host/locate.ts';
import { freePort } from '../../host/testing/free-port.ts';

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

/** A running S3 server. */
export interface S3Server {
  readonly port: number;
  /** Its address, as `AWS_ENDPOINT_URL_S3` has it. */
  readonly endpoint: string;
  readonly child: ChildProcess;
}

/**
 * Starts an S3 server whose buckets are folders in `objects`, at `port` or at a free one.
 * It resolves when the server listens. The caller ends `child`.
 */
export async function startS3Server(objects: string, bucket: string, port?: number): Promise<S3Server> {
  mkdirSync(join(objects, bucket), { recursive: true });
  const keys = ['--access-key', S3_ACCESS.AWS_ACCESS_KEY_ID, '--secret-key', S3_ACCESS.AWS_SECRET_ACCESS_KEY];
  for (;;) {
    const at = port ?? (await freePort());
    const child = spawn(installed, [...keys, '--host', '127.0.0.1', '--port', String(at), objects], {
      stdio: 'ignore',
    });
    while (child.exitCode === null && !(await listens(at))) await setTimeout(50);
    // A server whose port was taken meanwhile ends, and what listens there is another.
    if (child.exitCode === null) return { port: at, endpoint: `http://127.0.0.1:${at}`, child };
  }
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

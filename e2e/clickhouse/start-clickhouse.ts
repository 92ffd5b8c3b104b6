import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const server = join(import.meta.dirname, '..', 'tools', 'clickhouse', 'server.py');

/** A server of one test file. */
export type RunningClickHouse = {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Ends the process; its data stay for `start`. */
  stop(): Promise<void>;
  /** Ends it, and removes its data. */
  remove(): Promise<void>;
};

/** Starts the engine that `ensureChdb` gave the folder of, behind a real port. `data`: of an earlier one, else a folder of its own. */
export async function startClickHouse(packages: string, data?: string): Promise<RunningClickHouse> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'clickhouse-')));
  const [user, password] = ['flows', randomBytes(12).toString('base64url')];
  const child = spawn('python3', [server, packages, folder, user], { stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (part: Buffer) => {
    complaint = `${complaint}${part}`.slice(-4_000);
  });
  child.stdin.write(`${password}\n`);
  const lines = createInterface(child.stdout);
  const ended = once(child, 'exit');
  const port = await Promise.race([
    once(lines, 'line').then(([line]) => Number(line)),
    ended.then(() => {
      throw new Error(`ClickHouse did not start: ${complaint}`);
    }),
  ]);
  const stop = async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await ended;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    user,
    password,
    stop,
    remove: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

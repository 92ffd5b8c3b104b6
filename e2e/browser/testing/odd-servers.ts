import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigText } from '#lib/kube/index.ts';

export type OddServers = { readonly kubeconfig: string; close(): void };

/**
 * A kubeconfig with unusable API servers: one that does not exist, one that never answers, one that refuses everything. It also has contexts that the list of
 * clusters does not connect to: without certificate verification, with plain HTTP, with credentials from a program.
 */
export async function oddServers(): Promise<OddServers> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-odd-'));
  const silent = createServer();
  const refusing = createHttpsServer(selfSigned(folder), (_, answer) => {
    answer.writeHead(401, { 'Content-Type': 'application/json' });
    answer.end(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: 401 }),
    );
  });
  const servers = {
    'prod-eu-1': { server: `https://127.0.0.1:${await portOf(silent)}` },
    'prod-us-1': { server: `https://127.0.0.1:${await portOf(refusing)}`, 'insecure-skip-tls-verify': true },
    staging: { server: 'https://127.0.0.1:9' },
    'kubectl-proxy': { server: 'http://127.0.0.1:9' },
  };
  const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/false', interactiveMode: 'Never' };
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    kubeconfigText({
      current: 'prod-eu-1',
      clusters: servers,
      users: { admin: { token: 'not-a-secret' }, program: { exec: plugin } },
      contexts: [
        ...Object.keys(servers).map((name) => [name, name, 'admin'] as const),
        ['lab', 'staging', 'program'],
        ['old-laptop', 'gone', 'admin'],
      ],
    }),
  );
  return {
    kubeconfig,
    close: () => {
      silent.close();
      refusing.close();
      refusing.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  return (server.address() as AddressInfo).port;
}

function selfSigned(folder: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = [
    '-subj',
    '/CN=127.0.0.1',
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

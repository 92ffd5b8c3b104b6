import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

export type OddServers = { readonly kubeconfig: string; close(): void };

/**
 * API servers that are no help, and a kubeconfig that leads to them: one that is not there, one that never answers, one that refuses everything;
 * and contexts that a list does not ask: a certificate that is not verified, plain HTTP, credentials from a program.
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
  const servers: Record<string, string> = {
    'prod-eu-1': `https://127.0.0.1:${await portOf(silent)}`,
    'prod-us-1': `https://127.0.0.1:${await portOf(refusing)}`,
    staging: 'https://127.0.0.1:9',
    'kubectl-proxy': 'http://127.0.0.1:9',
  };
  const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/false', interactiveMode: 'Never' };
  const names = Object.keys(servers);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'prod-eu-1',
      clusters: names.map((name) => ({
        name,
        cluster: { server: servers[name], ...(name === 'prod-us-1' ? { 'insecure-skip-tls-verify': true } : {}) },
      })),
      users: [
        { name: 'admin', user: { token: 'not-a-secret' } },
        { name: 'program', user: { exec: plugin } },
      ],
      contexts: [
        ...names.map((name) => ({ name, context: { cluster: name, user: 'admin' } })),
        { name: 'lab', context: { cluster: 'staging', user: 'program' } },
        { name: 'old-laptop', context: { cluster: 'gone', user: 'admin' } },
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

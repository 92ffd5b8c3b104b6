import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

/** A server with a certificate of an authority that a kubeconfig may trust. It answers like an API server without credentials, and records its requests. */
export type RecordingServer = {
  readonly host: string;
  readonly port: number;
  /** PEM of the authority. */
  readonly authority: string;
  readonly requests: { method: string; url: string; headers: IncomingHttpHeaders; clientCertificate: boolean }[];
  close(): void;
};

/** An address of this machine that is not loopback. Packets to it do not leave the machine, and rules about loopback addresses do not apply to it. */
export function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'));
  if (!found) throw new Error('This test needs a machine with an IPv4 address beside loopback.');
  return found.address;
}

export async function recordingServer(host: string): Promise<RecordingServer> {
  const { authority, key, cert } = certificateFor(host);
  const requests: RecordingServer['requests'] = [];
  const server = createServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const { method = '', url = '', headers } = request;
    const peer = (request.socket as TLSSocket).getPeerCertificate();
    requests.push({ method, url, headers, clientCertificate: Object.keys(peer ?? {}).length > 0 });
    response.writeHead(401, { 'content-type': 'application/json', 'set-cookie': 'here=again' });
    response.end(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: 401 }),
    );
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, host, listening));
  const { port } = server.address() as AddressInfo;
  return {
    host,
    port,
    authority,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function certificateFor(host: string): { authority: string; key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-recorder-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const fresh = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  try {
    openssl(
      'req',
      '-x509',
      ...fresh,
      '-days',
      '2',
      '-subj',
      '/CN=authority',
      '-keyout',
      file('ca.key'),
      '-out',
      file('ca.crt'),
    );
    openssl('req', ...fresh, '-subj', '/CN=kube-apiserver', '-keyout', file('key'), '-out', file('csr'));
    writeFileSync(file('ext'), `subjectAltName=IP:${host}\n`);
    const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-extfile', file('ext')];
    openssl('x509', '-req', '-in', file('csr'), ...signed, '-days', '2', '-out', file('crt'));
    const read = (name: string) => readFileSync(file(name), 'utf8');
    return { authority: read('ca.crt'), key: read('key'), cert: read('crt') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

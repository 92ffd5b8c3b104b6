import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChannelCredentials, Client } from '@grpc/grpc-js';
import { Agent, fetch } from 'undici';
import { freePorts, startProcess } from '#e2e/controlplane/index.ts';
import { eventually } from './eventually.ts';

/** An etcd for Calico with TLS, and users by the common name of their certificates. */
export type EtcdWithTls = {
  readonly endpoint: string;
  /** PEM files: the authority, and those of a user that may read Calico's keys and nothing else. */
  readonly files: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Writes like Calico's components: by gRPC, as a permitted user. */
  put(key: string, value: unknown): Promise<void>;
  stop(): Promise<void>;
};

const reader = 'calico-reader';

export async function etcdWithTls(program: string, folder: string): Promise<EtcdWithTls> {
  mkdirSync(folder, { recursive: true });
  const [clientPort = 0, peerPort = 0] = await freePorts(2);
  const endpoint = `https://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const path = (name: string) => join(folder, name);
  certify(folder, ['server', 'root', reader]);
  const etcd = await startProcess({
    name: 'etcd',
    command: program,
    args: [
      ...[`--data-dir=${path('data')}`, `--listen-client-urls=${endpoint}`, `--advertise-client-urls=${endpoint}`],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=default=${peer}`],
      ...[`--cert-file=${path('server.crt')}`, `--key-file=${path('server.key')}`, '--client-cert-auth'],
      ...[`--trusted-ca-file=${path('ca.crt')}`, '--unsafe-no-fsync', '--log-level=warn'],
    ],
    log: path('etcd.log'),
  });
  const pem = (name: string) => readFileSync(path(name));
  const [ca, key, cert] = [pem('ca.crt'), pem('root.key'), pem('root.crt')];
  const gateway = new Agent({ connect: { ca, key, cert } });
  const ask = async (what: string, body: object) => {
    const answer = await fetch(`${endpoint}/v3/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
      dispatcher: gateway,
    });
    if (!answer.ok) throw new Error(`etcd: ${what}: ${answer.status} ${await answer.text()}`);
  };
  await eventually('etcd to answer', () =>
    ask('kv/range', { key: base64('/') }).then(
      () => true,
      () => false,
    ),
  );
  await usersByCertificate(ask);
  await gateway.close();
  const client = new Client(`127.0.0.1:${clientPort}`, ChannelCredentials.createSsl(ca, key, cert));
  return {
    endpoint,
    files: { ca: path('ca.crt'), cert: path(`${reader}.crt`), key: path(`${reader}.key`) },
    put: (key, value) =>
      new Promise((resolve, reject) => {
        const request = Buffer.concat([field(1, key), field(2, JSON.stringify(value))]);
        const asIs = (bytes: Buffer) => bytes;
        client.makeUnaryRequest('/etcdserverpb.KV/Put', asIs, asIs, request, (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    stop: async () => {
      client.close();
      await etcd.stop(2_000);
    },
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** https://etcd.io/docs/v3.6/op-guide/authentication/rbac/, read 2026-11-23 */
async function usersByCertificate(ask: (what: string, body: object) => Promise<void>): Promise<void> {
  const permission = { permType: 'READ', key: base64('/calico/'), range_end: base64('/calico0') };
  await ask('auth/role/add', { name: 'root' });
  await ask('auth/role/add', { name: reader });
  await ask('auth/role/grant', { name: reader, perm: permission });
  for (const name of ['root', reader]) {
    await ask('auth/user/add', { name, options: { no_password: true } });
    await ask('auth/user/grant', { user: name, role: name });
  }
  await ask('auth/enable', {});
}

function certify(folder: string, users: readonly string[]): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const made = ['-newkey', 'rsa:2048', '-nodes'];
  openssl('req', '-x509', ...made, '-days', '2', '-subj', '/CN=etcd-ca', '-keyout', 'ca.key', '-out', 'ca.crt');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  for (const user of users) {
    openssl('req', ...made, '-subj', `/CN=${user}`, '-keyout', `${user}.key`, '-out', `${user}.csr`);
    const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', '-in', `${user}.csr`, ...signed, '-out', `${user}.crt`);
  }
}

/** A string field of a protobuf message: number, length, bytes. */
function field(number: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  const length: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>= 7) length.push((rest & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length, rest]), bytes]);
}

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Plane, startControlPlane } from '#e2e/controlplane/index.ts';
import { kubeconfigText } from '#lib/kube/index.ts';
import { type Ended, signalbox } from '../cluster/testing/signalbox-process.ts';
import { ownAddress, type RecordingServer, recordingServer } from './testing/recording-server.ts';

/** An attacker makes the cluster's objects name a server of the attacker's, with a certificate of the cluster's own authority. The administrator then reads the cluster. */
let plane: Plane;
let folder: string;
let theirs: RecordingServer;
/** A port of the administrator's own machine. */
let local: { server: Server; port: number; connections: number };
let token: string;
let authority: string;

type Fields = Record<string, unknown>;
const data = (text: string) => Buffer.from(text).toString('base64');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-credentials-'));
  [plane, theirs, local] = await Promise.all([
    startControlPlane({ kind: 'standard', nodes: 1 }),
    recordingServer(ownAddress()),
    countingServer(),
  ]);
  const config = parse(readFileSync(plane.kubeconfig, 'utf8'));
  token = config.users[0].user.token;
  authority = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  await plane.api.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'tigera-operator', name: 'kubernetes-services-endpoint' },
    data: { KUBERNETES_SERVICE_HOST: theirs.host, KUBERNETES_SERVICE_PORT: String(theirs.port) },
  });
  await plane.api.patch('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes', {
    endpoints: [{ addresses: ['100.100.100.200', theirs.host] }],
    ports: [{ name: 'https', port: local.port, protocol: 'TCP' }],
  });
  const many = Array.from({ length: 80 }, (_, n) => `64:ff9b::7f00:${(n + 2).toString(16)}`);
  // The server refuses loopback and link-local addresses there, but not those that lead to them.
  await plane.api.apply({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'default', name: 'six', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv6',
    endpoints: [{ addresses: ['64:ff9b::7f00:1', 'fd00:ec2::254', ...many] }],
    ports: [{ name: 'https', port: local.port, protocol: 'TCP' }],
  });
});

beforeEach(() => {
  theirs.requests.length = 0;
});

afterAll(async () => {
  theirs?.close();
  local?.server.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const admin = () => ({ token });
/** The real server; a bundle of authorities, of which one signed the certificate of the other server. */
const verified = () => ({ server: plane.url, 'certificate-authority-data': data(`${authority}\n${theirs.authority}`) });

/** `name` is the current context. */
function kubeconfig(name: string, contexts: Record<string, { cluster: Fields; user: Fields }>): string {
  const path = join(folder, `${name}.kubeconfig`);
  const entries = Object.entries(contexts);
  writeFileSync(
    path,
    kubeconfigText({
      current: name,
      clusters: Object.fromEntries(entries.map(([each, { cluster }]) => [each, cluster])),
      users: Object.fromEntries(entries.map(([each, { user }]) => [each, user])),
      contexts: entries.map(([each]) => [each, each, each]),
    }),
  );
  return path;
}

function run(path: string, ...args: string[]): Promise<Ended> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return signalbox({ kubeconfig: path, stateHome: home, cwd: home }, args);
}

test.each([
  ['check', ['check', '--goal', 'enable', '-o', 'json'], [0, 3]],
  ['inspect', ['inspect', '-o', 'json'], [0]],
  ['plan', ['plan', '--goal', 'enable', '-o', 'json'], [0, 3]],
])('%s: whoever the cluster names as its endpoint is asked as by a stranger', async (_name, args, codes) => {
  const { code, out, err } = await run(kubeconfig('admin', { admin: { cluster: verified(), user: admin() } }), ...args);
  expect([err, codes.includes(code ?? -1)]).toEqual([err, true]);
  expect(theirs.requests.length).toBeGreaterThan(0);
  for (const request of theirs.requests)
    expect(request).toEqual({
      method: 'GET',
      url: '/readyz?verbose',
      headers: { host: `${theirs.host}:${theirs.port}`, connection: 'close' },
      clientCertificate: false,
    });
  expect(local.connections).toBe(0);
  expect(out).not.toContain(token);
});

test('the finding says that an API server answers, and names every address that was dialled and each that was not', async () => {
  const path = kubeconfig('admin', { admin: { cluster: verified(), user: admin() } });
  const { out } = await run(path, 'check', '--goal', 'enable', '-o', 'json');
  const { findings } = JSON.parse(out) as {
    findings: { id: string; status: string; because: string; evidence: { path: string; value: string[] }[] }[];
  };
  const reachable = findings.find(({ id }) => id === 'endpoint.reachable');
  expect(reachable).toMatchObject({ status: 'pass', because: expect.stringContaining('without credentials (401)') });
  const seen = (what: string) => reachable?.evidence.find((one) => one.path === what)?.value ?? [];
  expect(seen('dialled')).toEqual([`${theirs.host}:${theirs.port}`, `${theirs.host}:${local.port}`]);
  expect(seen('not dialled')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^\[64:ff9b::7f00:1\]:\d+ is a loopback address/),
      expect.stringMatching(/^\[fd00:ec2::254\]:\d+ is a cloud metadata address/),
      expect.stringMatching(/^100\.100\.100\.200:\d+ is a cloud metadata address/),
    ]),
  );
});

test('a local address in the ConfigMap is not tested, and says so', async () => {
  const path = kubeconfig('admin', { admin: { cluster: verified(), user: admin() } });
  const { out } = await run(path, 'check', '--goal', 'enable', '--endpoint', `127.0.0.1:${local.port}`, '-o', 'json');
  const { findings } = JSON.parse(out) as { findings: { id: string; status: string; because: string }[] };
  expect(findings.find(({ id }) => id === 'endpoint.reachable')).toMatchObject({
    status: 'unknown',
    because: expect.stringMatching(/is not tested: 127\.0\.0\.1:\d+ is a loopback address/),
  });
  expect(local.connections).toBe(0);
});

test('listing clusters runs no program and dials nobody; --ask asks the one that is named', async () => {
  const ran = (name: string) => join(folder, `${name}.ran`);
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
  const program = (name: string) => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/bin/sh',
      args: ['-c', `: > '${ran(name)}'; echo '${JSON.stringify(credential)}'`],
      interactiveMode: 'Never',
    },
  });
  const plain = { server: `http://127.0.0.1:${local.port}` };
  const path = kubeconfig('one', {
    one: { cluster: verified(), user: program('one') },
    two: { cluster: verified(), user: program('two') },
    three: { cluster: verified(), user: program('three') },
    plain: { cluster: plain, user: admin() },
  });
  const programs = () => ['one', 'two', 'three'].filter((name) => existsSync(ran(name)));
  const { code, out } = await run(path, 'clusters');
  expect(code).toBe(0);
  expect(out).toMatch(/two .*not asked: its credentials come from a program/);
  expect(out).toMatch(/plain .*not asked: its connection is not encrypted/);
  expect([programs(), local.connections]).toEqual([[], 0]);

  const asked = await run(path, 'clusters', '--ask', 'two', '-o', 'json');
  expect((JSON.parse(asked.out) as { contexts: Fields[] }).contexts[1]).toMatchObject({
    name: 'two',
    answer: { reachable: true, kubernetes: expect.stringMatching(/^v1\./) },
  });
  expect([programs(), local.connections]).toEqual([['two'], 0]);
});

test('a certificate that is not verified stands in every plan and above what is said of the cluster', async () => {
  const unverified = { server: plane.url, 'insecure-skip-tls-verify': true };
  const path = kubeconfig('unverified', { unverified: { cluster: unverified, user: admin() } });
  const warning = expect.stringContaining('is not verified (insecure-skip-tls-verify)');
  const plan = JSON.parse((await run(path, 'plan', '--goal', 'enable', '-o', 'json')).out) as Fields;
  expect(plan).toMatchObject({ warnings: [warning], findings: { warnings: [warning] } });
  for (const args of [['check', '--goal', 'enable'], ['status'], ['plan', '--goal', 'enable']]) {
    const { out } = await run(path, ...args);
    expect([args[0], out.split('\n')[0]]).toEqual([args[0], expect.stringMatching(/^! The certificate of/)]);
  }
  const shell = (await run(path, 'plan', '--goal', 'enable', '-o', 'shell')).out;
  expect(shell).toMatch(/^# The certificate of .* is not verified/m);
});

async function countingServer(): Promise<typeof local> {
  const counting = { server: createServer(), port: 0, connections: 0 };
  counting.server.on('connection', (socket) => {
    counting.connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => counting.server.listen(0, '127.0.0.1', listening));
  counting.port = (counting.server.address() as AddressInfo).port;
  return counting;
}

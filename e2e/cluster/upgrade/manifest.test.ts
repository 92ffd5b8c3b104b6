import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Plane, startControlPlane, unexpectedDials } from '#e2e/controlplane/index.ts';
import { isRecord } from '#lib/base/records.ts';
import { connect, type LiveKube } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { comesBackTo } from '../testing/comes-back.ts';
import { contentsOf } from '../testing/contents.ts';
import { etcdWithTls } from '../testing/etcd-with-tls.ts';
import { eventually } from '../testing/eventually.ts';
import { openOperations } from '../testing/journal.ts';
import {
  agents,
  byHand,
  installManifest,
  podOfAgents,
  removeManifest,
  rolledOut,
} from '../testing/manifest-install.ts';
import { nodeVersions } from '../testing/node-versions.ts';
import {
  mustSignalbox,
  type Running,
  signalbox,
  startSignalbox,
  type Workplace,
} from '../testing/signalbox-process.ts';
import { type Wire, type Write, wireTo } from '../testing/wire.ts';

/**
 * What `kubectl apply -f calico.yaml` made, changed by hand since, by way of one release to the next and back, on a real API server: killed while fields are
 * taken over and while objects are applied, and every object is compared at the end.
 */
let plane: Plane;
let kube: LiveKube;
let wire: Wire;
let folder: string;

beforeAll(async () => {
  plane = await startControlPlane({ kind: 'empty', nodes: 3, like: 'v3.30.7' });
  kube = await connect({ kubeconfig: plane.kubeconfig });
  wire = await wireTo(plane, 'wire');
  folder = mkdtempSync(join(tmpdir(), 'signalbox-manifest-'));
});

afterAll(async () => {
  wire?.close();
  await kube?.close();
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const config: ObjectRef = { resource: resources.configMaps, namespace: names.systemNamespace, name: 'calico-config' };
/** What people did, one after the other, with their own tools. */
async function changeByHand(): Promise<void> {
  const toleration = { key: 'example.test/gpu', operator: 'Exists' };
  await kube.patch(config, { type: 'merge', body: { data: { veth_mtu: '1400', mine: 'a key of mine' } } }, byHand);
  const pod = await podOfAgents(kube);
  const [container] = pod.containers;
  if (!container) throw new Error('no container');
  const env = container.env.map((one) =>
    isRecord(one) && one.name === 'CALICO_IPV4POOL_IPIP' ? { name: one.name, value: 'Never' } : one,
  );
  const changed = {
    ...container,
    env: [...env, { name: 'CALICO_IPV4POOL_CIDR', value: '10.244.0.0/16' }, { name: 'FELIX_MINE', value: 'x' }],
    resources: { requests: { cpu: '100m' } },
  };
  const spec = { containers: [changed], tolerations: [...pod.tolerations, toleration], nodeSelector: { pool: 'all' } };
  await kube.patch(agents, { type: 'merge', body: { spec: { template: { spec } } } }, byHand);
  for await (const page of kube.list(resources.nodes))
    for (const { metadata } of page.items)
      await kube.patch(
        { resource: resources.nodes, name: metadata.name ?? '' },
        { type: 'merge', body: { metadata: { labels: { pool: 'all' } } } },
      );
}

const field = (path: string) => `kube-system/DaemonSet/calico-node:spec.template.spec.${path}`;
const env = (name: string) => `containers[calico-node].env[${name}]`;
const toAgents = ({ path, method }: Write) => method === 'PATCH' && path.endsWith('/daemonsets/calico-node');

test('calico.yaml of 3.30.4 on eBPF with VXLAN and changes by hand goes by 3.30.7 to 3.31.4 and back: what is kept stays, what is given up goes, every object comes back', async () => {
  // Played from the files of v3.30.7.
  await installManifest(kube, 'v3.30.7', 'calico.yaml', (text) => text.replaceAll(':v3.30.7', ':v3.30.4'));
  for (const [resource, spec] of [
    [resources.felixConfigurations, { bpfEnabled: true }],
    [resources.ipPools, { cidr: '192.168.0.0/16', vxlanMode: 'Always', ipipMode: 'Never' }],
  ] as const)
    await kube.create(resource, {
      apiVersion: 'crd.projectcalico.org/v1',
      kind: resource.kind,
      metadata: { name: 'default' },
      spec,
    });
  await eventually('the agents to run', () => rolledOut(kube, 3));
  await changeByHand();
  await eventually('the agents to run', () => rolledOut(kube, 3));
  const before = await contentsOf(kube);
  const workplace: Workplace = { kubeconfig: wire.kubeconfig, stateHome: join(folder, 'state'), cwd: folder };
  mkdirSync(workplace.stateHome);
  const files = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };

  const accepted = ['platform.kubernetes-version', 'upgrade.field-conflicts', 'upgrade.registry-moved', 'not-measured'];
  const planned = await mustSignalbox(
    workplace,
    [
      ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--out', 'plan.json', '--keep', 'all'],
      ...['--take', field(env('FELIX_MINE')), '--take', 'kube-system/ConfigMap/calico-config:data.mine'],
      ...['--write', `${field('containers[calico-node].resources.requests.cpu')}=150m`],
      ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
    ],
    files,
  );
  expect(planned.out).toContain('Ready to apply.');

  const apply = () => startSignalbox(workplace, ['apply', 'plan.json', '--yes', '-o', 'json'], files);
  const first = apply();
  wire.cutAfter(toAgents, () => first.signal('SIGKILL'));
  await killed(first, 'fields.adopt');
  const second = apply();
  wire.cutAfter(toAgents, () => second.signal('SIGKILL'));
  await killed(second, 'manifest.apply');
  const last = apply();
  expect(await last.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
  expect(nodeVersions(last)).toEqual(['v3.31.4', 'v3.31.4', 'v3.31.4']);
  expect(lastVersionsOn('worker-1', second, last)).toEqual(['v3.30.7', 'v3.31.4']);

  const spec = await podOfAgents(kube);
  expect(spec).toMatchObject({
    nodeSelector: { pool: 'all' },
    tolerations: expect.arrayContaining([{ key: 'example.test/gpu', operator: 'Exists' }]),
    containers: [{ image: 'quay.io/calico/node:v3.31.4', resources: { requests: { cpu: '150m' } } }],
  });
  const variables = spec.containers[0]?.env ?? [];
  expect(variables).toEqual(
    expect.arrayContaining([
      { name: 'CALICO_IPV4POOL_IPIP', value: 'Never' },
      { name: 'CALICO_IPV4POOL_CIDR', value: '10.244.0.0/16' },
    ]),
  );
  expect(variables).not.toContainEqual(expect.objectContaining({ name: 'FELIX_MINE' }));
  expect((await kube.get(config))?.data).toMatchObject({ veth_mtu: '1400' });
  expect((await kube.get(config))?.data).not.toHaveProperty('mine');

  const back = startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], files);
  expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  expect(nodeVersions(back)).toEqual(['v3.30.4', 'v3.30.4', 'v3.30.4']);
  expect(lastVersionsOn('worker-1', back)).toEqual(['v3.30.7', 'v3.30.4']);
  await eventually('the agents to run', () => rolledOut(kube, 3));
  await comesBackTo(before, () => contentsOf(kube));
  expect(unexpectedDials(plane.egressLog())).toEqual([]);
});

const information = (calicoVersion: string) => ({
  kind: 'ClusterInformation',
  apiVersion: 'projectcalico.org/v3',
  metadata: { name: 'default', uid: '5f0c3a83-7b4b-4a0e-8b53-9d3e0d4a5d11', creationTimestamp: '2025-03-01T10:00:00Z' },
  spec: { clusterGUID: 'b1f5', clusterType: 'k8s,bgp', calicoVersion, datastoreReady: true },
});

/** Calico's keys and values as v3.31 writes them (libcalico-go, lib/backend/model/resource.go; read 2026-11-23). */
const calicoKeys: Readonly<Record<string, object>> = {
  'felixconfigurations/default': { kind: 'FelixConfiguration', spec: { bpfConnectTimeLoadBalancing: 'TCP' } },
  'ippools/default-ipv4-ippool': { kind: 'IPPool', spec: { cidr: '192.168.0.0/16', ipipMode: 'Always' } },
  'kubecontrollersconfigurations/default': { kind: 'KubeControllersConfiguration', spec: {} },
};

test('calico-etcd.yaml of 3.30.7 to 3.31.4 and back, with etcd’s own word for the version; no certificate is written anywhere', async () => {
  const etcd = await etcdWithTls(plane.binaries.etcd, join(folder, 'etcd'));
  try {
    const root = '/calico/resources/v3/projectcalico.org';
    const say = (version: string) => etcd.put(`${root}/clusterinformations/default`, information(version));
    for (const [key, { kind, ...rest }] of Object.entries(calicoKeys) as [string, { kind: string }][])
      await etcd.put(`${root}/${key}`, {
        kind,
        apiVersion: 'projectcalico.org/v3',
        metadata: { name: key.split('/')[1] },
        ...rest,
      });
    // Not the version of the images, so that the reported one must come from etcd.
    await say('v3.30.6');
    const { ca, cert, key } = etcd.files;
    const pem = (path: string) => readFileSync(path, 'utf8');
    const secret = { 'etcd-ca': pem(ca), 'etcd-cert': pem(cert), 'etcd-key': pem(key) };
    await removeManifest(kube);
    await installManifest(kube, 'v3.30.7', 'calico-etcd.yaml', (text) =>
      text
        .replace('http://<ETCD_IP>:<ETCD_PORT>', etcd.endpoint)
        .replace('etcd_ca: ""', 'etcd_ca: "/calico-secrets/etcd-ca"')
        .replace('etcd_cert: ""', 'etcd_cert: "/calico-secrets/etcd-cert"')
        .replace('etcd_key: ""', 'etcd_key: "/calico-secrets/etcd-key"'),
    );
    const certificates: ObjectRef = { ...config, resource: resources.secrets, name: 'calico-etcd-secrets' };
    await kube.patch(certificates, { type: 'merge', body: { stringData: secret } }, byHand);
    await eventually('the agents to run', () => rolledOut(kube, 3));

    const workplace: Workplace = { kubeconfig: plane.kubeconfig, stateHome: join(folder, 'state-etcd'), cwd: folder };
    mkdirSync(workplace.stateHome);
    const files = { SIGNALBOX_CALICO_DIR: process.env.SIGNALBOX_CALICO_DIR };
    const address = ['--etcd-endpoints', etcd.endpoint, '--etcd-ca', ca];
    const reached = [...address, '--etcd-cert', cert, '--etcd-key', key];
    expect((await mustSignalbox(workplace, ['version', ...reached])).out).toMatch(/^Cluster Version: +v3\.30\.6$/m);
    const byImage = await mustSignalbox(workplace, ['version']);
    expect(byImage).toMatchObject({
      out: expect.stringMatching(/^Cluster Version: +v3\.30\.7$/m),
      err: expect.stringContaining('is that of the agents’ image'),
    });
    expect(await signalbox(workplace, ['version', ...address])).toMatchObject({
      code: 5,
      err: expect.stringContaining('etcd at 127.0.0.1'),
    });
    await say('v3.30.7');
    const before = await contentsOf(kube);

    const accepted = [
      'platform.kubernetes-version',
      'upgrade.field-conflicts',
      'upgrade.registry-moved',
      'not-measured',
    ];
    const planned = await mustSignalbox(
      workplace,
      [
        ...['plan', '--goal', 'upgrade', '--release', 'v3.31.4', '--out', 'etcd.json', '--keep', 'all', ...reached],
        ...accepted.flatMap((id) => ['--acknowledge', `${id}=tried in a test`]),
      ],
      files,
    );
    expect(planned.out).toContain('Ready to apply.');
    expect(planned.out).not.toContain('keeps it in etcd');

    const run = startSignalbox(workplace, ['apply', 'etcd.json', '--yes', '-o', 'json', ...reached], files);
    const asked = (event: unknown) =>
      JSON.stringify(event).includes('ClusterInformation/default to be of v3.31.4, it is of v3.30.7');
    await run.event('etcd to be asked', asked);
    await say('v3.31.4');
    expect(await run.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });
    expect(nodeVersions(run)).toEqual(['v3.31.4', 'v3.31.4', 'v3.31.4']);
    expect((await kube.get(config))?.data).toMatchObject({
      etcd_endpoints: etcd.endpoint,
      etcd_cert: '/calico-secrets/etcd-cert',
    });
    const kept = (await kube.get(certificates))?.data as Record<string, string>;
    expect(Buffer.from(kept['etcd-key'] ?? '', 'base64').toString()).toBe(secret['etcd-key']);

    const secretLine = secret['etcd-key'].split('\n')[1] ?? '';
    const written = readdirSync(workplace.stateHome, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const path of [...written, join(folder, 'etcd.json')])
      expect(readFileSync(path).includes(secretLine)).toBe(false);

    const back = startSignalbox(workplace, ['undo', '--yes', '-o', 'json'], files);
    expect(await back.ended).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
    await eventually('the agents to run', () => rolledOut(kube, 3));
    await comesBackTo(before, () => contentsOf(kube));
    expect(unexpectedDials(plane.egressLog())).toEqual([]);
  } finally {
    await etcd.stop();
  }
});

/** The last two releases that a node was seen on, one after the other: what it runs at first is seen or not. */
function lastVersionsOn(node: string, ...runs: Running[]): string[] {
  const seen = runs
    .flatMap((run) => run.events())
    .flatMap(({ event, data }) => (event === 'node' && data.name === node && data.version ? [data.version] : []));
  return [...new Set(seen)].slice(-2);
}

/** The process is gone by our signal, in the middle of this operation. */
async function killed(process: Running, operation: string): Promise<void> {
  const { code, err } = await process.ended;
  expect({ code, err }).toMatchObject({ code: null });
  expect(await openOperations(kube)).toEqual([operation]);
}

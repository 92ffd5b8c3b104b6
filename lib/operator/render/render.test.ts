import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstallationSpec } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { type DefaultsContext, withDefaults } from '../installation/defaults.ts';
import { type RecordedEvent, recordedEvents } from '../recordings/distil.ts';
import { type EmulatedOperator, releaseOf } from '../releases.ts';
import { calicoNode } from './calico-node.ts';
import { image } from './image.ts';
import { kubeControllers } from './kube-controllers.ts';
import type { RenderPlan } from './plan.ts';
import { typha, typhaReplicas } from './typha.ts';

const context = (like: EmulatedOperator): DefaultsContext => ({
  release: releaseOf(like),
  provider: '',
  pools: ['192.168.0.0/16'],
  awsNode: false,
});

function aPlan(
  like: EmulatedOperator,
  network: InstallationSpec['calicoNetwork'],
  more: Partial<RenderPlan> = {},
): RenderPlan {
  return {
    release: releaseOf(like),
    spec: withDefaults({ calicoNetwork: network }, context(like)),
    owner: {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'Installation',
      name: 'default',
      uid: 'u',
      controller: true,
      blockOwnerDeletion: true,
    },
    endpoint: { host: 'api.lab.example', port: '6443' },
    bootstrap: null,
    flowLogs: null,
    dns: { dnsPolicy: 'ClusterFirstWithHostNet' },
    linuxNodes: 4,
    cgroupV2Path: null,
    ...more,
  };
}

const containersOf = (workload: KubeObject, kind: 'containers' | 'initContainers') =>
  memberAt(workload, 'spec', 'template', 'spec', kind) as {
    name: string;
    command?: string[];
    env?: { name: string; value?: string }[];
  }[];
const bootstrapOf = (plan: RenderPlan) => containersOf(calicoNode(plan), 'initContainers')[1];

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 3],
  [200, 3],
  [600, 5],
  [5_000, 20],
])('%i nodes: %i Typhas', (nodes, replicas) => {
  expect(typhaReplicas(nodes)).toBe(replicas);
});

test('the bootstrap container is best-effort on the standard data plane only', () => {
  expect(bootstrapOf(aPlan('v3.31.4', { linuxDataplane: 'Iptables' }))).toMatchObject({
    name: 'ebpf-bootstrap',
    command: ['calico-node', '-init', '-best-effort'],
  });
  expect(bootstrapOf(aPlan('v3.31.4', { linuxDataplane: 'BPF' }))?.command).toEqual(['calico-node', '-init']);
  expect(bootstrapOf(aPlan('v3.30.7', { linuxDataplane: 'Iptables' }))).toMatchObject({
    name: 'mount-bpffs',
    command: ['calico-node', '-init'],
  });
});

test('bpfNetworkBootstrap hands the API servers to it (automatic-and-stuck-node-3.31.4.jsonl, t=6.71)', () => {
  const plan = aPlan(
    'v3.31.4',
    { linuxDataplane: 'BPF' },
    { bootstrap: { serviceAddresses: ['10.96.0.1:443'], apiServers: ['10.10.0.1:6443'] }, cgroupV2Path: '/run/cgroup' },
  );
  expect(bootstrapOf(plan)?.env).toEqual([
    { name: 'KUBERNETES_SERVICE_IPS_PORTS', value: '10.96.0.1:443' },
    { name: 'KUBERNETES_APISERVER_ENDPOINTS', value: '10.10.0.1:6443' },
    { name: 'CALICO_CGROUP_PATH', value: '/run/cgroup' },
  ]);
});

test('the endpoint reaches calico-node, install-cni, Typha and kube-controllers, and nothing else', () => {
  const plan = aPlan('v3.31.4', {});
  const withHost = [calicoNode(plan), typha(plan), kubeControllers(plan)]
    .flatMap((workload) => [
      ...containersOf(workload, 'containers'),
      ...(containersOf(workload, 'initContainers') ?? []),
    ])
    .filter((container) =>
      container.env?.some((one) => one.name === 'KUBERNETES_SERVICE_HOST' && one.value === 'api.lab.example'),
    )
    .map((container) => container.name);
  expect(withHost).toEqual(['calico-node', 'install-cni', 'calico-typha', 'calico-kube-controllers']);
  const without = JSON.stringify(calicoNode(aPlan('v3.31.4', {}, { endpoint: null })));
  expect(without).not.toContain('KUBERNETES_SERVICE_HOST');
});

test('of MKE’s own name only pods on the host network hear', () => {
  const plan = aPlan('v3.31.4', {}, { endpoint: { host: names.proxyOfMke, port: '6444' } });
  const onMke = { ...plan, spec: { ...plan.spec, kubernetesProvider: 'DockerEnterprise' as const } };
  const text = (workload: KubeObject) => JSON.stringify(workload);
  expect(text(calicoNode(onMke))).toContain(names.proxyOfMke);
  expect(text(kubeControllers(onMke))).not.toContain(names.proxyOfMke);
  expect(text(kubeControllers(plan))).toContain(names.proxyOfMke);
});

test.each([
  [{}, 'quay.io/calico/node:v1'],
  [{ registry: 'mirror.example/' }, 'mirror.example/calico/node:v1'],
  [{ registry: 'UseDefault', imagePath: 'x', imagePrefix: 'p-' }, 'quay.io/x/p-node:v1'],
])('image with %j: %s', (spec, expected) => {
  expect(image(spec, 'node', 'v1')).toBe(expected);
});

describe('rendered as recorded', () => {
  const folder = process.env.SIGNALBOX_RECORDINGS_DIR;
  const first = (file: string, name: string): KubeObject => {
    const isIt = (event: RecordedEvent) =>
      !('mark' in event) &&
      event.object.metadata.name === name &&
      ['DaemonSet', 'Deployment'].includes(event.object.kind);
    const found = recordedEvents(readFileSync(join(folder ?? '', file), 'utf8')).find(isIt);
    if (!found || 'mark' in found) throw new Error(`${name} is not in ${file}`);
    return found.object;
  };
  /** Leaves out annotations, because they have hashes of certificates; Goldmane's address and variables; and replicas, which the autoscaler set later. */
  const comparable = (workload: KubeObject): unknown =>
    JSON.parse(JSON.stringify(workload.spec), (key, value) => {
      if (key === 'annotations' || key === 'hostAliases' || key === 'replicas') return undefined;
      return Array.isArray(value) ? value.filter((one) => !/^FELIX_FLOWLOGS/.test(String(one?.name))) : value;
    });

  const enable = 'install-enable-rollback-3.31.4.jsonl';
  const upgrade = 'upgrade-3.30.7-to-3.31.4.jsonl';
  const resolver = { dnsPolicy: 'Default', dnsConfig: { nameservers: ['10.255.255.53'] } };
  test.runIf(folder).each([
    [enable, 'calico-node', calicoNode(aPlan('v3.31.4', { linuxDataplane: 'Iptables' }))],
    [enable, 'calico-typha', typha(aPlan('v3.31.4', {}))],
    [enable, 'calico-kube-controllers', kubeControllers(aPlan('v3.31.4', {}))],
    [upgrade, 'calico-node', calicoNode(aPlan('v3.30.7', { linuxDataplane: 'BPF' }, { dns: resolver }))],
  ])('%s: %s', (file, name, rendered) => {
    const recorded = comparable(first(file, name)) as { template: { metadata: Record<string, unknown> } };
    // Deployment calico-kube-controllers repeats its name and namespace in its pod template.
    const { name: _name, namespace: _namespace, ...metadata } = recorded.template.metadata;
    expect(comparable(rendered)).toEqual({ ...recorded, template: { ...recorded.template, metadata } });
  });
});

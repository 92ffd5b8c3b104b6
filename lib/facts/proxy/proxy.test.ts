import { expect, test } from 'vitest';
import { createStore, type KubeObject, workloadOf } from '#lib/kube/index.ts';
import { collectFacts } from '../collect.ts';
import { aConfigMap, aNode, anInstallation, aProxy, aProxyConfig } from '../testing/sample-cluster.ts';
import { type ProxySigns, proxyOf } from './proxy.ts';

const nothing: ProxySigns = {
  platform: 'kubeadm',
  daemonSet: null,
  configMaps: [],
  openshift: null,
  staticProxies: { count: 0, first: null, stray: null },
  staticProxyModes: [],
  startedProxyModes: [],
  otherNetworks: [],
  otherDaemonSets: [],
  isOnEbpf: false,
  nodeArguments: [],
  installation: null,
  absenceIsKnown: true,
  configIsKnown: true,
};

const openshift = (spec: Record<string, unknown>): KubeObject => ({
  apiVersion: 'operator.openshift.io/v1',
  kind: 'Network',
  metadata: { name: 'cluster' },
  spec,
});
const server = (...more: string[]) => [{ node: 'server-1', key: 'k3s.io/node-args', arguments: ['server', ...more] }];
const plainProxy = aProxy({ containers: [{ name: 'kube-proxy' }] });

const ofPool = (...flags: string[]) =>
  workloadOf(
    aProxy({ name: 'kube-proxy-pool-1', containers: [{ name: 'kube-proxy', command: ['kube-proxy', ...flags] }] }),
  );

test.each<[string, Partial<ProxySigns>, Record<string, unknown>]>([
  [
    'kubeadm',
    { daemonSet: aProxy(), configMaps: [aProxyConfig('')] },
    { kind: 'daemonset', mode: 'iptables', running: true, managedBy: null },
  ],
  [
    'another product in its place',
    {
      otherNetworks: [
        {
          product: 'kube-router',
          object: 'kube-system/DaemonSet/kube-router',
          connects: false,
          serves: true,
          attaches: false,
          evidence: [],
        },
      ],
    },
    { kind: 'unknown', running: true },
  ],
  [
    'another product that may be in its place',
    {
      otherNetworks: [
        {
          product: 'kube-router',
          object: 'kube-system/DaemonSet/kube-router',
          connects: false,
          serves: null,
          attaches: false,
          evidence: [],
        },
      ],
    },
    { kind: 'unknown', running: null },
  ],
  [
    'another product that is not',
    {
      otherNetworks: [
        {
          product: 'kube-router',
          object: 'kube-system/DaemonSet/kube-router',
          connects: false,
          serves: false,
          attaches: false,
          evidence: [],
        },
      ],
    },
    { kind: 'none', running: false },
  ],
  ['ipvs', { daemonSet: aProxy(), configMaps: [aProxyConfig('ipvs')] }, { mode: 'ipvs' }],
  [
    'a pod that runs on with flags of an earlier template',
    {
      daemonSet: aProxy(),
      configMaps: [aProxyConfig('iptables')],
      startedProxyModes: [
        { mode: 'unknown', evidence: [] },
        {
          mode: 'ipvs',
          evidence: [{ object: 'kube-system/Pod/kube-proxy-x', path: 'command --proxy-mode', value: 'ipvs' }],
        },
      ],
    },
    { mode: 'ipvs' },
  ],
  [
    'a pod whose flags say nothing of its mode',
    { daemonSet: aProxy(), configMaps: [aProxyConfig('ipvs')], startedProxyModes: [{ mode: 'unknown', evidence: [] }] },
    { mode: 'ipvs' },
  ],
  [
    'pods in two other modes',
    {
      daemonSet: aProxy(),
      configMaps: [aProxyConfig('iptables')],
      startedProxyModes: [{ mode: 'nftables', evidence: [] }],
    },
    { mode: 'unknown' },
  ],
  [
    'pods of an earlier template, whose mode nobody reads',
    {
      daemonSet: aProxy({ status: { observedGeneration: 1, updatedNumberScheduled: 1 } }),
      configMaps: [aProxyConfig('iptables')],
    },
    { mode: 'unknown' },
  ],
  [
    'not one pod of its template: the API server leaves the 0 out',
    { daemonSet: aProxy({ status: { observedGeneration: 1 } }), configMaps: [aProxyConfig('iptables')] },
    { mode: 'unknown' },
  ],
  [
    'pods that are all of its template',
    {
      daemonSet: aProxy({ status: { observedGeneration: 1, updatedNumberScheduled: 2 } }),
      configMaps: [aProxyConfig('iptables')],
    },
    { mode: 'iptables' },
  ],
  [
    'a template in IPVS mode that rolls out',
    {
      daemonSet: aProxy({ status: { observedGeneration: 1, updatedNumberScheduled: 1 } }),
      configMaps: [aProxyConfig('ipvs')],
    },
    { mode: 'ipvs' },
  ],
  ['nftables', { daemonSet: aProxy(), configMaps: [aProxyConfig('nftables')] }, { mode: 'nftables' }],
  ['a mode that nobody knows', { daemonSet: aProxy(), configMaps: [aProxyConfig('userspace')] }, { mode: 'unknown' }],
  [
    'a mode that is no text is not the same as none',
    { daemonSet: aProxy(), configMaps: [aConfigMap('kube-system', 'kube-proxy', { 'config.conf': 'mode: [ipvs]' })] },
    { mode: 'unknown' },
  ],
  [
    'a configuration that was refused',
    { daemonSet: aProxy(), configIsKnown: false },
    { kind: 'daemonset', mode: 'unknown', running: true },
  ],
  [
    'a flag',
    { daemonSet: aProxy({ containers: [{ name: 'kube-proxy', command: ['kube-proxy', '--proxy-mode=ipvs'] }] }) },
    { mode: 'ipvs' },
  ],
  [
    'a flag, and a configuration that nobody told it to read',
    {
      daemonSet: aProxy({ containers: [{ name: 'kube-proxy', command: ['kube-proxy', '--proxy-mode', 'ipvs'] }] }),
      configMaps: [aProxyConfig('iptables')],
    },
    { mode: 'ipvs' },
  ],
  [
    'a flag beside a file, which kube-proxy then ignores',
    {
      daemonSet: aProxy({
        containers: [{ name: 'kube-proxy', command: ['kube-proxy', '--config=/x/config.conf', '--proxy-mode=ipvs'] }],
      }),
      configMaps: [aProxyConfig('')],
    },
    { mode: 'iptables' },
  ],
  [
    'neither flag nor file, and a configuration that nobody told it to read',
    {
      daemonSet: aProxy({ containers: [{ name: 'kube-proxy', command: ['kube-proxy', '--v=2'] }] }),
      configMaps: [aProxyConfig('ipvs')],
    },
    { mode: 'iptables' },
  ],
  [
    'a flag in the one string of a shell',
    {
      daemonSet: aProxy({
        containers: [
          { name: 'kube-proxy', command: ['/bin/sh', '-c', 'exec kube-proxy --proxy-mode=ipvs 1>>/var/log/x 2>&1'] },
        ],
      }),
    },
    { mode: 'ipvs' },
  ],
  [
    'a script that nobody can look into',
    { daemonSet: aProxy({ containers: [{ name: 'kube-proxy', command: ['/bin/sh', '/start.sh'] }] }) },
    { mode: 'unknown' },
  ],
  ['no flag and no file', { daemonSet: plainProxy }, { mode: 'iptables' }],
  [
    'off by selector',
    { daemonSet: aProxy({ nodeSelector: { 'non-calico': 'true' }, desired: 0 }) },
    { running: false, pods: { desired: 0, ready: 0 } },
  ],
  [
    'off by the operator’s selector',
    { daemonSet: aProxy({ nodeSelector: { 'operator.tigera.io/disable-kube-proxy': 'true' }, desired: 0 }) },
    { running: false },
  ],
  [
    'the selector was set a moment ago',
    { daemonSet: aProxy({ nodeSelector: { 'non-calico': 'true' }, desired: 3 }) },
    { running: true },
  ],
  [
    'an add-on manager',
    { daemonSet: aProxy({ labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } }) },
    { managedBy: 'addon-manager' },
  ],
  [
    'the operator',
    { daemonSet: aProxy(), installation: anInstallation('BPF', { kubeProxyManagement: 'Enabled' }) },
    { managedBy: 'tigera-operator' },
  ],
  ['none', {}, { kind: 'none', running: false }],
  ['none that the API shows, on a cluster built by hand', { platform: 'generic' }, { kind: 'unknown', running: null }],
  ['none beside eBPF', { platform: 'generic', isOnEbpf: true }, { kind: 'none', running: false }],
  [
    'a DaemonSet for each pool of workers',
    {
      platform: 'generic',
      otherDaemonSets: [workloadOf(aProxy({ name: 'kube-proxy-pool-1', containers: [{ name: 'kube-proxy' }] }))],
    },
    { kind: 'unknown', running: true },
  ],
  [
    'one more DaemonSet for a pool of nodes, which no plan would turn off',
    { daemonSet: aProxy(), configMaps: [aProxyConfig('iptables')], otherDaemonSets: [ofPool()] },
    { kind: 'unknown', running: true },
  ],
  [
    'one more in IPVS mode',
    { daemonSet: aProxy(), configMaps: [aProxyConfig('iptables')], otherDaemonSets: [ofPool('--proxy-mode=ipvs')] },
    { mode: 'ipvs' },
  ],
  [
    'one more where the usual one is off: Services may be down on a part of the nodes',
    { daemonSet: aProxy({ desired: 0 }), otherDaemonSets: [ofPool()] },
    { kind: 'unknown', running: null },
  ],
  ['not told', { absenceIsKnown: false }, { kind: 'unknown', running: null }],
  [
    'static pods',
    { platform: 'kops', staticProxies: { count: 3, first: 'kube-system/Pod/kube-proxy-a', stray: null } },
    { kind: 'static-pods', running: true, mode: 'unknown' },
  ],
  [
    'pods that nobody keeps',
    { staticProxies: { count: 0, first: null, stray: 'kube-system/Pod/kube-proxy-x1' } },
    { kind: 'unknown', running: null },
  ],
  [
    'OpenShift',
    { platform: 'openshift', openshift: openshift({ deployKubeProxy: true }) },
    { kind: 'openshift', running: true, mode: 'iptables' },
  ],
  [
    'OpenShift, off',
    { platform: 'openshift', openshift: openshift({ deployKubeProxy: false }) },
    { kind: 'openshift', running: false },
  ],
  [
    'OpenShift, not said, with its own network',
    { platform: 'openshift', openshift: openshift({ defaultNetwork: { type: 'OVNKubernetes' } }) },
    { kind: 'openshift', running: false },
  ],
  [
    'OpenShift, not said',
    { platform: 'openshift', openshift: openshift({ defaultNetwork: { type: 'Calico' } }) },
    { kind: 'openshift', running: true },
  ],
  [
    'OpenShift in ipvs mode',
    {
      platform: 'openshift',
      openshift: openshift({ kubeProxyConfig: { proxyArguments: { 'proxy-mode': ['ipvs'] } } }),
    },
    { mode: 'ipvs' },
  ],
  [
    'K3s',
    { platform: 'k3s', nodeArguments: server() },
    { kind: 'embedded', mode: 'iptables', running: true, managedBy: 'K3s' },
  ],
  [
    'K3s in ipvs mode',
    { platform: 'k3s', nodeArguments: server('--kube-proxy-arg', 'proxy-mode=ipvs') },
    { mode: 'ipvs' },
  ],
  [
    'K3s without',
    { platform: 'k3s', nodeArguments: server('--disable-kube-proxy') },
    { kind: 'embedded', running: false },
  ],
  [
    'K3s that does not say how it was started',
    { platform: 'k3s' },
    { kind: 'embedded', mode: 'unknown', running: null },
  ],
  [
    'RKE2, whose pods are its own',
    {
      platform: 'rke2',
      staticProxies: { count: 2, first: 'kube-system/Pod/kube-proxy-a', stray: null },
      nodeArguments: server(),
    },
    { kind: 'embedded', running: true },
  ],
])('%s', (_name, signs, expected) => {
  expect(proxyOf({ ...nothing, ...signs })).toMatchObject(expected);
});

test('on MicroK8s the kubelet runs it, whoever brought Calico', async () => {
  const label = { 'microk8s.io/cluster': 'true' };
  const proxyWith = async (labels: Record<string, string>) => {
    const kube = createStore({ name: 'lab', source: 'live', objects: [aNode({ name: 'a', labels })] });
    return (await collectFacts({ kube })).proxy;
  };
  expect(await proxyWith(label)).toMatchObject({ kind: 'unknown', running: true, mode: 'unknown' });
  expect((await proxyWith(label)).evidence[0]).toMatchObject({ object: 'Node/a', value: 'true' });
  expect(await proxyWith({ 'microk8s.io/cluster': 'no' })).toMatchObject({ running: null });
});

test('one node that calls itself MicroK8s says nothing of the others', async () => {
  const objects = [aNode({ name: 'a', labels: { 'microk8s.io/cluster': 'true' } }), aNode({ name: 'b' })];
  const kube = createStore({ name: 'lab', source: 'live', objects });
  expect((await collectFacts({ kube })).proxy).toMatchObject({ running: null });
});

const windows = { key: 'kubernetes.io/os', operator: 'In', values: ['windows'] };
const ofAllButLinux = { nodeSelectorTerms: [{ matchExpressions: [windows] }] };
test.each([
  ['by its nodeSelector', { nodeSelector: { 'kubernetes.io/os': 'windows' } }],
  ['by the earlier label', { nodeSelector: { 'beta.kubernetes.io/os': 'windows' } }],
  ['by affinity', { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: ofAllButLinux } } }],
])('a kube-proxy of Windows nodes alone, %s, does not count', async (_, terms) => {
  const onWindows = aProxy({ name: 'kube-proxy-windows', containers: [{ name: 'kube-proxy' }] });
  Object.assign(onWindows, { spec: { template: { spec: { containers: [{ name: 'kube-proxy' }], ...terms } } } });
  const objects = [aNode({ name: 'a' }), aProxy(), aProxyConfig('iptables'), onWindows];
  const kube = createStore({ name: 'lab', source: 'live', objects });
  expect((await collectFacts({ kube })).proxy).toMatchObject({ kind: 'daemonset', running: true, mode: 'iptables' });
});

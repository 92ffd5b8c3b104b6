import { expect, test } from 'vitest';
import { platformKinds } from '../../choices.ts';
import { endpointSources } from '../../endpoint-sources.ts';
import { isUnknown } from '../../unknown.ts';
import { distributionRules } from '../distributions.ts';
import { immutableSystems } from '../immutable-systems.ts';
import { platformSigns } from '../platform-signs.ts';
import { platforms } from '../platforms.ts';
import { platformGuides } from './platform-guides.ts';

test('every platform of the catalogue has a row, each in its own words', () => {
  expect(platformGuides.map(({ id }) => id)).toEqual([
    'kubeadm-ha',
    'kubeadm-single',
    'kops',
    'openshift',
    'aks-azure-cni',
    'aks-own-cni',
    'eks-vpc-cni',
    'eks-own-cni',
    'eks-amazon-linux',
    'eks-bottlerocket',
    'eks-ubuntu',
    'gke',
    'tkg',
    'rke',
    'rke2',
    'k3s',
    'mke',
    'kind',
    'talos',
    'rancher',
    'generic',
  ]);
  for (const kind of platformKinds)
    expect(platformGuides.filter((row) => row.kind === kind).length, kind).toBeGreaterThan(0);
});

test('rows and platforms say the same about eBPF mode, name servers and how the proxy runs', () => {
  for (const { id, kind, ebpf, dns, proxy } of platformGuides) {
    const platform = platforms[kind];
    expect(ebpf === 'not supported', id).toBe(!platform.ebpf.supported);
    if (platform.nameserver !== null) expect(dns, id).toContain(platform.nameserver);
    if (platform.proxyIsEmbedded) expect(proxy.runsAs, id).not.toContain('DaemonSet kube-system/kube-proxy');
  }
});

test('the words of the specification stand as they are', () => {
  const byId = new Map(platformGuides.map((row) => [row.id, row]));
  expect(byId.get('kubeadm-ha')?.createFlags).toEqual(['kubeadm init --skip-phases=addon/kube-proxy']);
  expect(byId.get('mke')?.createFlags).toEqual(['--kube-proxy-mode=disabled', '--kube-default-drop-masq-bits']);
  expect(byId.get('mke')?.endpoint).toMatchObject({ host: '`proxy.local`', port: '6444' });
  expect(byId.get('openshift')?.endpoint).toMatchObject({ host: '`api.<cluster_name>.<base_domain>`', port: '6443' });
  expect(byId.get('kops')?.endpoint.host).toBe('`api.internal.<clustername>`');
});

test('what the operator cannot find out is set by hand: AKS alone', () => {
  expect(platformGuides.filter(({ provider }) => provider.by === 'set by hand').map(({ kind }) => kind)).toEqual([
    'aks',
    'aks',
  ]);
  for (const { id, provider } of platformGuides) expect(provider.value === '', id).toBe(provider.by === 'none');
});

test('what is unknown says what would tell', () => {
  const cells = platformGuides.flatMap((row) => Object.values(row)).filter(isUnknown);
  expect(cells.length).toBeGreaterThan(5);
  for (const { unknown } of cells) expect(unknown.length).toBeGreaterThan(20);
});

test('every source of an endpoint is explained, and none that no platform uses', () => {
  const used = Object.values(platforms).flatMap(({ endpoint }) => endpoint);
  expect(endpointSources.map(({ id }) => id).sort()).toEqual([...new Set(used)].sort());
});

test('every platform but the plain one can be recognised', () => {
  const recognised = new Set(platformSigns.map(({ platform }) => platform));
  expect(platformKinds.filter((kind) => !recognised.has(kind))).toEqual(['generic']);
});

test('every immutable system of the distributions has its row', () => {
  const immutable = distributionRules.filter(({ immutable: is }) => is).map(({ id }) => id);
  expect(immutableSystems.map(({ id }) => id).sort()).toEqual([...new Set(immutable)].sort());
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InstallationContext } from './installation-context.ts';
import { installationProblems } from './installation-problems.ts';
import { nearestField } from './installation-spec.ts';
import { installationSchema } from './release-parts.ts';
import { aRelease } from './testing/installation-facts.ts';

const isHere = Boolean(process.env.SIGNALBOX_CALICO_DIR);
const schemaOf = (version: string, operator: string): InstallationContext => {
  if (!isHere) return {};
  const schema = installationSchema(aRelease(version, operator, ['operator-crds.yaml']));
  if (schema === null) throw new Error(`${version} has no schema`);
  return { release: { version, operator }, schema };
};
const v3314 = schemaOf('v3.31.4', 'v1.40.7');
const v3307 = schemaOf('v3.30.7', 'v1.38.13');
const bpf = { linuxDataplane: 'BPF' };

test.skipIf(!isHere).each<[string, unknown, InstallationContext, RegExp]>([
  [
    'provider’s own CNI with an overlay',
    { kubernetesProvider: 'EKS', calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16', encapsulation: 'VXLAN' }] } },
    {},
    /^error spec.calicoNetwork.ipPools\[10.9.0.0\/16\].encapsulation: VXLAN needs the Calico CNI; with AmazonVPC/m,
  ],
  [
    'the provider that was detected counts',
    { calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16', encapsulation: 'VXLAN' }] } },
    { provider: 'GKE' },
    /^error .*with GKE it must be None/m,
  ],
  [
    'another provider',
    { kubernetesProvider: 'EKS' },
    { provider: 'GKE' },
    /^error spec.kubernetesProvider: EKS does not match the detected provider GKE/m,
  ],
  [
    'no BGP on EKS',
    {
      kubernetesProvider: 'EKS',
      cni: { type: 'Calico' },
      calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16', encapsulation: 'None' }] },
    },
    {},
    /^error .*None needs BGP/m,
  ],
  [
    'flexVolumePath',
    { flexVolumePath: '/var/lib/kubelet/plugins' },
    {},
    /^error spec.flexVolumePath: needs a slash .*pluginsnodeagent~uds/m,
  ],
  ['no MTU', { calicoNetwork: { mtu: -1 } }, {}, /^error spec.calicoNetwork.mtu: -1 is not between 68 and 65535:/m],
  [
    'more than an MTU',
    { calicoNetwork: { mtu: 900_000 } },
    {},
    /^error spec.calicoNetwork.mtu: 900000 is not between/m,
  ],
  [
    'an MTU without IPv6',
    { calicoNetwork: { mtu: 1200, ipPools: [{ cidr: 'fd00:1::/64' }] } },
    {},
    /^error spec.calicoNetwork.mtu: 1200 is not between 1280 .*IPv6 pool/m,
  ],
  ['registry', { registry: 'registry.example.com' }, {}, /^error spec.registry: "registry.example.com" needs a slash/m],
  ['registry URL', { registry: 'https://registry.example.com/' }, {}, /^error spec.registry: .* is a URL/m],
  ['image path', { imagePath: '/calico' }, {}, /^error spec.imagePath: .* neither begin nor end/m],
  ['pull secret', { imagePullSecrets: [{ name: 'a' }, {}] }, {}, /^error spec.imagePullSecrets\[1\].name: is missing/m],
  [
    'bootstrap before v3.31, by its schema',
    { calicoNetwork: { ...bpf, bpfNetworkBootstrap: 'Enabled' } },
    v3307,
    /^error spec.calicoNetwork.bpfNetworkBootstrap: is not a field of Calico v3.30.7/m,
  ],
  [
    'host ports before v3.27',
    { calicoNetwork: { ...bpf, hostPorts: 'Enabled' } },
    { release: { version: 'v3.26.4', operator: 'v1.30.9' } },
    /^error spec.calicoNetwork.hostPorts: Enabled is refused together with eBPF/m,
  ],
  [
    'nonPrivileged from v3.32 on',
    { nonPrivileged: 'Enabled' },
    { release: { version: 'v3.32.1', operator: 'v1.42.3' } },
    /^error spec.nonPrivileged: Enabled is refused from operator v1.42/m,
  ],
  [
    'typing error',
    { calicoNetwork: { linuxDataplan: 'BPF' } },
    v3314,
    /^error spec.calicoNetwork.linuxDataplan: is not a field .* linuxDataplane is one\./m,
  ],
  ['wrong case', { calicoNetwork: { ippools: [] } }, v3314, /ipPools is one\./m],
  [
    'value that is none',
    { calicoNetwork: { linuxDataplane: 'eBPF' } },
    v3314,
    /^error spec.calicoNetwork.linuxDataplane: "eBPF" is not possible; Iptables, BPF, VPP or Nftables is\./m,
  ],
  [
    'text for a number',
    { calicoNetwork: { mtu: '1440' } },
    v3314,
    /^error spec.calicoNetwork.mtu: "1440" is text; a whole number is needed/m,
  ],
  [
    'nothing in a pool',
    { calicoNetwork: { ipPools: [{}] } },
    v3314,
    /^error spec.calicoNetwork.ipPools\[0\]: cidr is missing/m,
  ],
  ['no schema', { calicoNetwork: { mtu: '1440' } }, {}, /^error spec.calicoNetwork.mtu: /m],
  ['a list', [], v3314, /^error spec: \[\] is a list; a group of fields is needed/m],
  [
    'other data plane than asked',
    { calicoNetwork: { linuxDataplane: 'Iptables' } },
    { chosen: { dataplane: 'BPF', automatic: false } },
    /^error spec.calicoNetwork.linuxDataplane: Iptables is not what was answered/m,
  ],
  [
    'both ways to the API server',
    { calicoNetwork: { ...bpf, bpfNetworkBootstrap: 'Enabled' } },
    { chosen: { dataplane: 'BPF', automatic: false } },
    /^error spec.calicoNetwork.bpfNetworkBootstrap: Enabled is automatic mode/m,
  ],
  [
    'management without a proxy',
    { calicoNetwork: { ...bpf, kubeProxyManagement: 'Enabled' } },
    { proxy: 'none' },
    /^error spec.calicoNetwork.kubeProxyManagement: Enabled needs DaemonSet/m,
  ],
  [
    'IPIP with eBPF',
    { calicoNetwork: { ...bpf, ipPools: [{ cidr: '10.9.0.0/16', encapsulation: 'IPIP' }] } },
    {},
    /^warning .*encapsulation: IPIP works with eBPF, but slower/m,
  ],
  [
    'a family without a pool',
    { calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16' }] } },
    { serviceCIDRs: ['10.96.0.0/12', 'fd00::/112'] },
    /^warning spec.calicoNetwork.ipPools: no pool is IPv6/m,
  ],
  ['no pool at all', { calicoNetwork: { ipPools: [] } }, {}, /^warning spec.calicoNetwork.ipPools: is an empty list/m],
  [
    'eBPF and IPv6 without a method',
    { calicoNetwork: { ...bpf, ipPools: [{ cidr: 'fd00:1::/64' }] } },
    {},
    /^error spec.calicoNetwork.nodeAddressAutodetectionV6: is needed/m,
  ],
])('%s', (_name, spec, around, words) => {
  const found = installationProblems(spec, around);
  expect(found.map(({ severity, sentence }) => `${severity} ${sentence}`).join('\n')).toMatch(words);
});

test.skipIf(!isHere)('a field is told once, by whoever says it best', () => {
  expect(installationProblems({ calicoNetwork: { linuxDataplane: 'eBPF' } }, v3314)).toHaveLength(1);
});

test.skipIf(!isHere).each<[unknown, InstallationContext]>([
  [{}, v3314],
  [
    {
      calicoNetwork: {
        ...bpf,
        hostPorts: 'Enabled',
        ipPools: [{ cidr: '192.168.0.0/16', encapsulation: 'VXLANCrossSubnet' }],
      },
    },
    v3314,
  ],
  [
    {
      calicoNodeDaemonSet: {
        spec: {
          template: {
            spec: { containers: [{ name: 'calico-node', resources: { limits: { cpu: 1, memory: '1Gi' } } }] },
          },
        },
      },
    },
    v3314,
  ],
  [
    { nodeUpdateStrategy: { rollingUpdate: { maxUnavailable: '10%' } }, controlPlaneNodeSelector: { zone: 'a' } },
    v3314,
  ],
  [{ calicoNetwork: { mtu: 0 } }, v3314],
  [{ calicoNetwork: { mtu: 8951 } }, v3314],
  [{ registry: 'UseDefault', flexVolumePath: 'None', imagePath: 'calico' }, v3314],
])('%j has no problem', (spec, around) => {
  expect(installationProblems(spec, around)).toEqual([]);
});

test('whatever is given is judged, without a fault', () => {
  fc.assert(
    fc.property(fc.anything(), fc.jsonValue(), (anything, json) => {
      for (const spec of [anything, json, { calicoNetwork: json }, { calicoNetwork: { ipPools: [json] }, cni: json }])
        for (const { sentence, severity } of installationProblems(spec, v3314)) {
          expect(sentence.length).toBeGreaterThan(10);
          expect(severity).toMatch(/^(error|warning)$/);
        }
    }),
    { numRuns: 500 },
  );
});

const aks = { kubernetesProvider: 'AKS', cni: { type: 'Calico' } };
const nodes = [{ name: 'n1', addresses: ['192.168.34.5'] }];

test.each<[string, unknown, InstallationContext, RegExp]>([
  [
    'IPIP, and no BGP for its routes',
    { ...aks, calicoNetwork: { bgp: 'Disabled' } },
    { hasPools: false },
    /^error spec.calicoNetwork.ipPools: is not set, so the operator makes 192.168.0.0\/16 itself: IPIP needs BGP/,
  ],
  [
    'IPIP with eBPF',
    { calicoNetwork: bpf },
    { hasPools: false },
    /^warning .* itself: IPIP works with eBPF, but slower/,
  ],
  [
    'the network that eksctl makes',
    {},
    { hasPools: false, nodes },
    /^error .* itself: 192.168.0.0\/16 holds 192.168.34.5/,
  ],
  [
    'on EKS another range',
    { kubernetesProvider: 'EKS', cni: { type: 'Calico' } },
    { hasPools: false, nodes, serviceAddresses: ['172.16.0.1'] },
    /^error .* makes 172.16.0.0\/16 itself: 172.16.0.0\/16 holds 172.16.0.1/,
  ],
  [
    'what kubeadm was told',
    {},
    { hasPools: false, platformCIDRs: ['10.96.0.0/16'], serviceCIDRs: ['10.96.0.0/12'] },
    /^error .* makes 10.96.0.0\/16 itself: .* overlaps with the Services'/,
  ],
  ['pools are there', { calicoNetwork: bpf }, { hasPools: true, nodes }, /^$/],
  [
    'an empty list is an answer',
    { calicoNetwork: { ipPools: [] } },
    { hasPools: false, nodes },
    /^warning .*empty list/,
  ],
  ['another CNI gives the addresses', { kubernetesProvider: 'EKS' }, { hasPools: false, nodes }, /^$/],
])('no pool is named: %s', (_name, spec, around, words) => {
  const found = installationProblems(spec, around);
  expect(found.map(({ severity, sentence }) => `${severity} ${sentence}`).join('\n')).toMatch(words);
});

test.each([
  ['calicoNetwork.mut', 'calicoNetwork.mtu'],
  ['flexvolumePath', 'flexVolumePath'],
  ['calicoNetwork.nodeAddressAutodetectionV4.canReac', 'calicoNetwork.nodeAddressAutodetectionV4.canReach'],
  ['calicoNetwork.mtu', null],
  ['controlPlaneNodeSelector.disk', null],
  ['calicoNodeDaemonSet.spec', null],
  ['foo', null],
])('%s means %s', (path, meant) => {
  expect(nearestField(path)).toBe(meant);
});

import { expect, test } from 'vitest';
import { type InstallationSpec, installationSpec } from './installation-spec.ts';
import { type Context, rules, validate } from './rules.ts';

const calico = { type: 'Calico', ipam: { type: 'Calico' } } as const;
const amazon = { type: 'AmazonVPC', ipam: { type: 'AmazonVPC' } } as const;
const pool = (cidr: string, encapsulation: string) => ({ name: 'p', cidr, encapsulation });
const v4 = { firstFound: true };

/** calico.md §2.4: group, spec, surroundings, the field that must be named. */
const refused: readonly [number, unknown, string, Context?][] = [
  [1, { cni: { type: 'Calico', ipam: { type: 'AmazonVPC' } } }, 'spec.cni.ipam.type'],
  [1, { cni: { type: 'GKE', ipam: { type: 'Calico' } } }, 'spec.cni.ipam.type'],
  [1, { cni: { type: 'AzureVNET', ipam: { type: 'AzureVNET' } }, kubernetesProvider: 'EKS' }, 'spec.cni.type'],
  [
    2,
    { cni: calico, calicoNetwork: { ipPools: [pool('fd00::/64', 'IPIP')] } },
    'spec.calicoNetwork.ipPools[p].encapsulation',
  ],
  [
    2,
    { cni: calico, calicoNetwork: { bgp: 'Disabled', ipPools: [pool('10.0.0.0/16', 'IPIP')] } },
    'spec.calicoNetwork.ipPools[p].encapsulation',
  ],
  [
    2,
    { cni: calico, calicoNetwork: { bgp: 'Disabled', ipPools: [pool('10.0.0.0/16', 'None')] } },
    'spec.calicoNetwork.ipPools[p].encapsulation',
  ],
  [
    2,
    {
      cni: { type: 'Calico', ipam: { type: 'HostLocal' } },
      calicoNetwork: { ipPools: [pool('10.0.0.0/16', 'VXLAN')] },
    },
    'spec.calicoNetwork.ipPools[p].encapsulation',
  ],
  [
    2,
    { cni: amazon, calicoNetwork: { ipPools: [pool('10.0.0.0/16', 'VXLAN')] } },
    'spec.calicoNetwork.ipPools[p].encapsulation',
  ],
  [2, { cni: amazon, calicoNetwork: { bgp: 'Enabled' } }, 'spec.calicoNetwork.bgp'],
  [
    3,
    { calicoNetwork: { linuxDataplane: 'BPF', ipPools: [pool('10.0.0.0/16', 'VXLAN')] } },
    'spec.calicoNetwork.nodeAddressAutodetectionV4',
  ],
  [
    3,
    { calicoNetwork: { linuxDataplane: 'BPF', nodeAddressAutodetectionV4: v4, ipPools: [pool('fd00::/64', 'None')] } },
    'spec.calicoNetwork.nodeAddressAutodetectionV6',
  ],
  [
    4,
    { calicoNetwork: { nodeAddressAutodetectionV4: { firstFound: true, interface: 'eth0' } } },
    'spec.calicoNetwork.nodeAddressAutodetectionV4',
  ],
  [
    4,
    { calicoNetwork: { nodeAddressAutodetectionV4: { cidrs: ['10.0.0.0/33'] } } },
    'spec.calicoNetwork.nodeAddressAutodetectionV4.cidrs',
  ],
  [5, { cni: amazon, calicoNetwork: { hostPorts: 'Enabled' } }, 'spec.calicoNetwork.hostPorts'],
  [5, { cni: amazon, calicoNetwork: { multiInterfaceMode: 'None' } }, 'spec.calicoNetwork.multiInterfaceMode'],
  [5, { cni: amazon, calicoNetwork: { containerIPForwarding: 'Enabled' } }, 'spec.calicoNetwork.containerIPForwarding'],
  [6, { calicoNetwork: { linuxDataplane: 'VPP', bgp: 'Disabled' } }, 'spec.calicoNetwork.bgp'],
  [6, { calicoNetwork: { linuxDataplane: 'VPP', hostPorts: 'Disabled' } }, 'spec.calicoNetwork.hostPorts'],
  [
    7,
    { calicoNetwork: { linuxDataplane: 'Iptables', linuxPolicySetupTimeoutSeconds: -1 } },
    'spec.calicoNetwork.linuxPolicySetupTimeoutSeconds',
  ],
  [7, { calicoNetwork: { linuxPolicySetupTimeoutSeconds: 5 } }, 'spec.calicoNetwork.linuxPolicySetupTimeoutSeconds'],
  [8, { flexVolumePath: 'var/lib' }, 'spec.flexVolumePath'],
  [8, { kubeletVolumePluginPath: 'kubelet' }, 'spec.kubeletVolumePluginPath'],
  [8, { nodeUpdateStrategy: { type: 'OnDelete' } }, 'spec.nodeUpdateStrategy.type'],
  [8, { controlPlaneReplicas: 0 }, 'spec.controlPlaneReplicas'],
  [8, { controlPlaneNodeSelector: { 'kubernetes.io/os': 'windows' } }, 'spec.controlPlaneNodeSelector'],
  [9, { nonPrivileged: 'Enabled', calicoNetwork: { linuxDataplane: 'BPF' } }, 'spec.nonPrivileged'],
  [
    10,
    { calicoNetwork: { windowsDataplane: 'HNS' }, serviceCIDRs: ['10.96.0.0/12'] },
    'spec.calicoNetwork.windowsDataplane',
    { endpointKnown: false },
  ],
  [10, { calicoNetwork: { windowsDataplane: 'HNS' } }, 'spec.serviceCIDRs'],
  [10, { windowsNodes: {} }, 'spec.windowsNodes'],
  [10, { azure: {} }, 'spec.azure'],
  [10, { cni: amazon, logging: { cni: {} } }, 'spec.logging.cni'],
  [11, { kubernetesProvider: 'EKS' }, 'spec.kubernetesProvider', { provider: 'GKE' }],
  [12, { calicoNetwork: { bpfNetworkBootstrap: 'Enabled' } }, 'spec.calicoNetwork.bpfNetworkBootstrap'],
  [
    12,
    { calicoNetwork: { bpfNetworkBootstrap: 'Enabled', linuxDataplane: 'BPF' } },
    'spec.calicoNetwork.bpfNetworkBootstrap',
    { endpointConfigMap: true },
  ],
  [
    12,
    { calicoNetwork: { bpfNetworkBootstrap: 'Enabled', linuxDataplane: 'BPF' } },
    'spec.calicoNetwork.bpfNetworkBootstrap',
    { apiServerEndpoints: [] },
  ],
  [
    12,
    { calicoNetwork: { bpfNetworkBootstrap: 'Enabled', linuxDataplane: 'BPF' } },
    'spec.calicoNetwork.bpfNetworkBootstrap',
    { apiServerEndpoints: null },
  ],
  [13, {}, 'ImageSet', { imageSets: ['calico-v3.30.7'], calicoVersion: 'v3.31.4' }],
];

const parse = (spec: unknown): InstallationSpec => installationSpec.parse(spec);

test.each(refused)('group %i: %j names %s', (group, spec, field, context = {}) => {
  const found = validate(parse(spec), context);
  expect(found.map((one) => [one.group, one.field])).toContainEqual([group, field]);
  expect(found.find((one) => one.field === field)?.sentence).toMatch(
    new RegExp(`^${field.replaceAll(/[.[\]]/g, String.raw`\$&`)}: .+\\.$`),
  );
});

test('every group of calico.md §2.4 has a rule and a refused example', () => {
  const groups = Array.from({ length: 13 }, (_, index) => index + 1);
  expect(rules.map((rule) => rule.group)).toEqual(groups);
  expect([...new Set(refused.map(([group]) => group))]).toEqual(groups);
});

/** calico.md §2.4: not rejected by code. */
test.each([
  [{}],
  [
    {
      cni: calico,
      calicoNetwork: {
        linuxDataplane: 'BPF',
        hostPorts: 'Enabled',
        nodeAddressAutodetectionV4: v4,
        ipPools: [pool('192.168.0.0/16', 'IPIP')],
      },
    },
  ],
  [{ kubernetesProvider: 'GKE', calicoNetwork: { linuxDataplane: 'BPF' } }],
  [{ flexVolumePath: 'None', kubeletVolumePluginPath: '/var/lib/kubelet' }],
  [
    {
      cni: amazon,
      kubernetesProvider: 'EKS',
      calicoNetwork: { bgp: 'Disabled', ipPools: [pool('172.16.0.0/16', 'None')] },
    },
  ],
])('%j is accepted', (spec) => {
  expect(validate(parse(spec), { provider: '', imageSets: ['calico-v3.31.4'], calicoVersion: 'v3.31.4' })).toEqual([]);
});

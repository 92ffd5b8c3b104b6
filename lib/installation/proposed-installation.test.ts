import fc from 'fast-check';
import { expect, test } from 'vitest';
import { platformKinds } from '#lib/spec/index.ts';
import { effectiveSpec } from './effective-spec.ts';
import { installationContextOf } from './installation-context.ts';
import { installationProblems } from './installation-problems.ts';
import { installationSpec } from './installation-spec.ts';
import { chosenInstallation, proposedInstallation } from './proposed-installation.ts';
import { aBasis, anInstallationNode, published } from './testing/installation-facts.ts';

const pool = { name: 'default-ipv4-ippool', cidr: '192.168.0.0/16', encapsulation: 'VXLANCrossSubnet' };
const v3314 = published({ calicoNetwork: { ipPools: [pool] } });
const because = (basis: Parameters<typeof proposedInstallation>[0], path: string) =>
  proposedInstallation(basis).reasons.find((reason) => reason.path.join('.') === path)?.because;

test('a cluster by kubeadm: its own range in place of the published one', () => {
  const basis = aBasis({}, {}, v3314);
  expect(proposedInstallation(basis).spec).toEqual({
    calicoNetwork: {
      linuxDataplane: 'BPF',
      ipPools: [
        {
          name: 'default-ipv4-ippool',
          cidr: '10.244.0.0/16',
          encapsulation: 'VXLANCrossSubnet',
          natOutgoing: 'Enabled',
          nodeSelector: 'all()',
          blockSize: 26,
        },
      ],
    },
  });
  expect(because(basis, 'calicoNetwork.ipPools')).toMatch(/made with 10\.244\.0\.0\/16 .* VXLANCrossSubnet/);
});

test('dual stack gets a pool of each family, and a method for IPv6, without which it would never begin', () => {
  const cluster = {
    serviceCIDRs: ['10.96.0.0/12', 'fd00:96::/112'],
    podCIDRs: ['10.244.0.0/16', 'fd00:244::/56'],
    podCIDRsFrom: 'kubeadm',
  };
  const { calicoNetwork } = proposedInstallation(aBasis({ cluster })).spec;
  expect(calicoNetwork?.ipPools?.map(({ name, natOutgoing, blockSize }) => [name, natOutgoing, blockSize])).toEqual([
    ['default-ipv4-ippool', 'Enabled', 26],
    ['default-ipv6-ippool', 'Enabled', 122],
  ]);
  expect(calicoNetwork?.nodeAddressAutodetectionV6).toEqual({ firstFound: true });
  const nodes = [anInstallationNode({ addresses: ['192.0.2.11', '2001:db8::11'] })];
  expect(proposedInstallation(aBasis({ cluster, nodes })).spec.calicoNetwork?.nodeAddressAutodetectionV6).toEqual({
    kubernetes: 'NodeInternalIP',
  });
});

test('where nothing names a range, the first that is free', () => {
  const nodes = [anInstallationNode({ addresses: ['192.168.1.11'] })];
  const basis = aBasis({ cluster: { serviceCIDRs: ['172.16.0.0/13'], podCIDRs: [], podCIDRsFrom: null }, nodes });
  expect(proposedInstallation(basis).spec.calicoNetwork?.ipPools?.[0]?.cidr).toBe('10.244.0.0/16');
  expect(because(basis, 'calicoNetwork.ipPools')).toMatch(/192\.168\.0\.0\/16 and 172\.16\.0\.0\/16 would overlap/);
});

const unknownServices = { cluster: { serviceCIDRs: [], podCIDRs: [], podCIDRsFrom: null } };

test('a range is called free of Services only where their range is known', () => {
  const known = aBasis({ cluster: { ...unknownServices.cluster, serviceCIDRs: ['10.96.0.0/12'] } });
  expect(because(known, 'calicoNetwork.ipPools')).toMatch(/overlaps neither with Services nor with nodes/);
  const basis = aBasis(unknownServices);
  expect(because(basis, 'calicoNetwork.ipPools')).toMatch(/overlaps with no node; .* Services .* is not known/);
  const [problem, ...others] = installationProblems(proposedInstallation(basis).spec, installationContextOf(basis));
  expect([problem?.severity, problem?.words, others]).toEqual([
    'warning',
    expect.stringMatching(/^nothing in the cluster says .*; 10\.96\.0\.1 is in it\. Compare/),
    [],
  ]);
});

test('nodes that could not be read are neither counted nor compared with a range', () => {
  const basis = aBasis({ ...unknownServices, nodes: [], coverage: { nodes: { covered: false } } });
  expect(because(basis, 'calicoNetwork.ipPools')).toMatch(/; nodes were not read/);
  const { nodes, nodeCount } = installationContextOf(basis);
  expect([nodes, nodeCount]).toEqual([undefined, undefined]);
  expect(installationContextOf(aBasis({ nodes: [] })).nodeCount).toBe(0);
});

test('whether there are pools is unknown where they could not be read', () => {
  const unread = installationContextOf(aBasis({ coverage: { pools: { covered: false } } }));
  expect(unread.hasPools).toBe(undefined);
  // The operator's own limit still counts, or a plan would begin that it refuses.
  const read = installationContextOf(aBasis());
  expect([read.hasPools, read.platformCIDRs]).toEqual([false, ['10.244.0.0/16']]);
  expect(unread.platformCIDRs).toEqual(read.platformCIDRs);
});

test('the address of Service default/kubernetes is proposed to no pod', () => {
  const endpoint = { configMap: null, apiServers: [], clusterIPs: ['192.168.0.1'] };
  const basis = aBasis({ ...unknownServices, endpoint });
  expect(proposedInstallation(basis).spec.calicoNetwork?.ipPools?.[0]?.cidr).toBe('172.16.0.0/16');
});

test('what nodes were handed shows the range that it is a part of', () => {
  const cluster = { serviceCIDRs: ['10.96.0.0/12'], podCIDRs: ['10.244.0.0/21'], podCIDRsFrom: 'nodes' };
  const basis = aBasis({ cluster });
  expect(proposedInstallation(basis).spec.calicoNetwork?.ipPools?.[0]?.cidr).toBe('10.244.0.0/16');
  expect(installationProblems(proposedInstallation(basis).spec, installationContextOf(basis))).toEqual([]);
});

test('kubeadm without a podSubnet: no pool is made whatever is proposed, and what to do is said', () => {
  const cluster = { serviceCIDRs: ['10.96.0.0/12'], podCIDRs: [], podCIDRsFrom: null };
  const basis = aBasis({ cluster, resources: { objects: { 'kube-system/ConfigMap/kubeadm-config': {} } } });
  const [problem] = installationProblems(proposedInstallation(basis).spec, installationContextOf(basis));
  expect(problem).toMatchObject({ severity: 'error', field: 'spec.calicoNetwork.ipPools' });
  expect(problem?.words).toMatch(/names no podSubnet. Add networking.podSubnet/);
});

test.each([
  ['eks', [], { kubernetesProvider: 'EKS', cni: { type: 'Calico' } }, '172.16.0.0/16'],
  [
    'eks',
    [{ object: 'kube-system/DaemonSet/aws-node' }],
    {
      kubernetesProvider: 'EKS',
      cni: { type: 'AmazonVPC', ipam: { type: 'AmazonVPC' } },
      calicoNetwork: { linuxDataplane: 'BPF', bgp: 'Disabled' },
    },
    undefined,
  ],
  ['aks', [], { kubernetesProvider: 'AKS', cni: { type: 'Calico' } }, '192.168.0.0/16'],
  [
    'aks',
    [{ object: 'kube-system/DaemonSet/azure-cns' }],
    { kubernetesProvider: 'AKS', cni: { type: 'AzureVNET', ipam: { type: 'AzureVNET' } } },
    undefined,
  ],
  ['gke', [], { kubernetesProvider: 'GKE', cni: { type: 'GKE', ipam: { type: 'HostLocal' } } }, undefined],
  ['openshift', [], { kubernetesProvider: 'OpenShift' }, '192.168.0.0/16'],
  ['mke', [], { kubernetesProvider: 'DockerEnterprise' }, '192.168.0.0/16'],
  ['rke2', [], { kubernetesProvider: 'RKE2' }, '192.168.0.0/16'],
] as const)('%s with %j', (kind, otherNetworks, spec, cidr) => {
  const proposed = proposedInstallation(
    aBasis({
      platform: { kind, provider: null },
      cluster: { serviceCIDRs: ['10.100.0.0/16'], podCIDRs: [], podCIDRsFrom: null },
      installation: { otherNetworks },
    }),
  );
  expect(proposed.spec).toMatchObject(spec);
  expect(proposed.spec.calicoNetwork?.ipPools?.[0]?.cidr).toBe(cidr);
});

test.each([
  [
    'microk8s',
    {
      cni: {
        binDir: '/var/snap/microk8s/current/opt/cni/bin',
        confDir: '/var/snap/microk8s/current/args/cni-network',
      },
      kubeletVolumePluginPath: '/var/snap/microk8s/common/var/lib/kubelet',
    },
  ],
  [
    'k0s',
    {
      flexVolumePath: '/usr/libexec/k0s/kubelet-plugins/volume/exec/',
      kubeletVolumePluginPath: '/var/lib/k0s/kubelet',
    },
  ],
] as const)('%s keeps folders of its own, which the Installation names', (installer, expected) => {
  const nodes = [anInstallationNode({ installer }), anInstallationNode({ name: 'node-2', installer })];
  const { spec } = proposedInstallation(aBasis({ nodes }));
  expect(spec).toMatchObject(expected);
  expect(installationProblems(spec, installationContextOf(aBasis({ nodes })))).toEqual([]);
  const mixed = proposedInstallation(aBasis({ nodes: [anInstallationNode({ installer }), anInstallationNode()] })).spec;
  expect([mixed.cni?.binDir, mixed.kubeletVolumePluginPath, mixed.flexVolumePath]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

const azureCns = [{ object: 'kube-system/DaemonSet/azure-cns' }];
const awsNode = [{ object: 'kube-system/DaemonSet/aws-node' }];
const ready = anInstallationNode({ ready: true });
const waiting = anInstallationNode({ name: 'node-7' });
const stopped = anInstallationNode({ notReady: { waitsFor: 'other' } });

test.each([
  ['its agent is there', azureCns, [waiting], 'AzureVNET', /azure-cns connects the pods/],
  ['nodes are Ready', [], [ready], 'AzureVNET', /Nodes are Ready .* --network-plugin none needs CNI Calico/],
  ['one is Ready, and a new one not yet', [], [waiting, ready], 'AzureVNET', /Nodes are Ready/],
  ['nodes say that they have no network', [], [stopped, waiting], 'Calico', /Node node-7 says that it has no network/],
  ['no node tells', [], [stopped], 'AzureVNET', /Nothing tells/],
  ['there is no node', [], [], 'AzureVNET', /Nothing tells/],
  ['a virtual node is Ready', [], [anInstallationNode({ ready: true, virtual: true }), waiting], 'Calico', /node-7/],
] as const)('AKS where %s', (_name, otherNetworks, nodes, type, words) => {
  const basis = aBasis({ platform: { kind: 'aks', provider: null }, installation: { otherNetworks }, nodes });
  expect(proposedInstallation(basis).spec.cni?.type).toBe(type);
  expect(because(basis, 'cni.type')).toMatch(words);
});

const own = ['Calico', 'Calico', undefined, true] as const;
test.each([
  // Answered, on a cluster with …, gives: cni.type, what the operator takes as IPAM, bgp as written, whether pools are proposed.
  ['aks', azureCns, 'Calico', own],
  ['aks', [], 'AzureVNET', ['AzureVNET', 'AzureVNET', 'Disabled', false]],
  ['eks', awsNode, 'Calico', own],
  ['eks', [], 'AmazonVPC', ['AmazonVPC', 'AmazonVPC', 'Disabled', false]],
  ['gke', [], 'Calico', own],
  ['gke', [], 'GKE', ['GKE', 'HostLocal', 'Disabled', false]],
  ['kubeadm', [], 'Calico', own],
] as const)('%s with %j, and cni.type answered as %s: the rest follows', (kind, otherNetworks, answer, expected) => {
  const cluster = { serviceCIDRs: ['10.100.0.0/16'], podCIDRs: [], podCIDRsFrom: null };
  const at = { platform: { kind, provider: null }, cluster, installation: { otherNetworks } };
  const basis = aBasis(at, { set: { 'cni.type': answer } });
  const spec = installationSpec.parse(chosenInstallation(basis));
  const { cni, calicoNetwork } = effectiveSpec(spec, installationContextOf(basis));
  expect([cni?.type, cni?.ipam?.type, spec.calicoNetwork?.bgp, calicoNetwork?.ipPools !== undefined]).toEqual(expected);
  expect(
    installationProblems(spec, installationContextOf(basis)).filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
});

test('a CNI that nobody knows changes nothing that is proposed, and is refused', () => {
  const basis = aBasis({ platform: { kind: 'aks', provider: null } }, { set: { 'cni.type': 'Weave' } });
  expect(proposedInstallation(basis).spec.cni).toEqual({ type: 'Calico' });
  expect(installationSpec.safeParse(chosenInstallation(basis)).success).toBe(false);
});

test('nodes on a cloud wrap every packet', () => {
  const basis = aBasis({ nodes: [anInstallationNode({ providerID: 'aws:///eu-central-1a/i-0' })] });
  expect(proposedInstallation(basis).spec.calicoNetwork?.ipPools?.[0]?.encapsulation).toBe('VXLAN');
  expect(because(basis, 'calicoNetwork.ipPools')).toMatch(/network of AWS drops/);
});

test.each([
  ['bottlerocket', 'eks', { flexVolumePath: '/var/lib/kubelet/plugins/' }],
  ['talos', 'talos', { flexVolumePath: 'None', kubeletVolumePluginPath: 'None' }],
  ['flatcar', 'kubeadm', { flexVolumePath: 'None' }],
] as const)('%s', (id, kind, spec) => {
  const nodes = [anInstallationNode({ distribution: { id } })];
  expect(proposedInstallation(aBasis({ platform: { kind, provider: null }, nodes })).spec).toMatchObject(spec);
});

test('what the operator writes to a folder that can be written needs no field', () => {
  const nodes = [anInstallationNode({ distribution: { id: 'rhcos' } })];
  const { spec } = proposedInstallation(aBasis({ platform: { kind: 'openshift', provider: null }, nodes }));
  expect(spec.flexVolumePath).toBeUndefined();
});

test('automatic mode; without kube-proxy’s DaemonSet the operator is not asked to manage it', () => {
  const network = (kind: string) =>
    proposedInstallation(aBasis({ proxy: { kind } }, { automatic: true })).spec.calicoNetwork;
  expect(network('daemonset')).toMatchObject({ bpfNetworkBootstrap: 'Enabled', kubeProxyManagement: 'Enabled' });
  expect(network('none')).toMatchObject({ bpfNetworkBootstrap: 'Enabled' });
  expect(network('none')).not.toHaveProperty('kubeProxyManagement');
});

test('automatic mode of the published file is no answer of anybody', () => {
  const network = { linuxDataplane: 'BPF', bpfNetworkBootstrap: 'Enabled', kubeProxyManagement: 'Enabled' };
  const { calicoNetwork } = proposedInstallation(aBasis({}, {}, published({ calicoNetwork: network }))).spec;
  expect(calicoNetwork).not.toHaveProperty('bpfNetworkBootstrap');
  expect(calicoNetwork).not.toHaveProperty('kubeProxyManagement');
});

test('what else the release publishes stays', () => {
  const spec = { variant: 'TigeraSecureEnterprise', imagePullSecrets: [{ name: 'pull' }] };
  expect(proposedInstallation(aBasis({}, {}, published(spec))).spec).toMatchObject(spec);
});

test('an installation that was begun keeps its document', () => {
  const spec = { registry: 'registry.example.com/', calicoNetwork: { ipPools: [{ cidr: '10.9.0.0/16' }] } };
  const basis = aBasis({ resources: { objects: { 'Installation/default': { spec } } } });
  expect(proposedInstallation(basis).spec).toEqual({
    ...spec,
    calicoNetwork: { ...spec.calicoNetwork, linuxDataplane: 'BPF' },
  });
});

test('one that was begun stays whole where a field of it is of a shape that we do not know', () => {
  const spec = { flexVolumePath: '/usr/flex/', nodeUpdateStrategy: 'as you like', calicoNetwork: { ipPools: 'none' } };
  const basis = aBasis({ resources: { objects: { 'Installation/default': { spec } } } });
  expect(proposedInstallation(basis).spec).toEqual({
    ...spec,
    calicoNetwork: { ipPools: 'none', linuxDataplane: 'BPF' },
  });
});

test('the edited document counts, with `set` on top', () => {
  const installation = { registry: 'a/', calicoNetwork: { mtu: 1400 } };
  const set = { 'calicoNetwork.mtu': 1430, 'cni.ipam.type': 'Calico' };
  expect(chosenInstallation(aBasis({}, { installation, set }))).toEqual({
    registry: 'a/',
    calicoNetwork: { mtu: 1430 },
    cni: { ipam: { type: 'Calico' } },
  });
  expect(installation.calicoNetwork.mtu).toBe(1400);
});

test('`set` reaches no prototype', () => {
  chosenInstallation(aBasis({}, { set: { '__proto__.polluted': true, 'constructor.prototype.polluted': true } }));
  expect('polluted' in {}).toBe(false);
});

const range = fc.constantFrom('10.244.0.0/16', '192.168.0.0/16', 'fd00:1::/56', '2001:db8::/56', '10.42.0.0/16');
const anyBasis = fc
  .record({
    kind: fc.constantFrom(...platformKinds),
    podCIDRs: fc.uniqueArray(range, { maxLength: 2 }),
    podCIDRsFrom: fc.constantFrom('kubeadm', 'openshift', 'controller-manager', 'nodes', null),
    ids: fc.array(fc.constantFrom('ubuntu', 'talos', 'bottlerocket', 'flatcar', 'rhcos'), {
      minLength: 1,
      maxLength: 3,
    }),
    providerID: fc.constantFrom(null, 'aws:///x', 'gce://x', 'vsphere://x'),
    proxy: fc.constantFrom('daemonset', 'none', 'embedded'),
    otherNetworks: fc.subarray([
      { object: 'kube-system/DaemonSet/aws-node' },
      { object: 'kube-system/DaemonSet/azure-cns' },
    ]),
    dataplane: fc.constantFrom('BPF' as const, 'Iptables' as const),
    automatic: fc.boolean(),
  })
  .map(({ kind, podCIDRs, podCIDRsFrom, ids, providerID, proxy, otherNetworks, dataplane, automatic }) =>
    aBasis(
      {
        platform: { kind, provider: null },
        cluster: { serviceCIDRs: ['10.96.0.0/12'], podCIDRs, podCIDRsFrom },
        nodes: ids.map((id, index) =>
          anInstallationNode({
            name: `n${index}`,
            addresses: [`192.0.2.${index + 1}`],
            distribution: { id },
            providerID,
          }),
        ),
        installation: { otherNetworks },
        proxy: { kind: proxy },
      },
      { dataplane, automatic },
      v3314,
    ),
  );

test('no proposal is refused, on any platform', () => {
  fc.assert(
    fc.property(anyBasis, (basis) => {
      const { spec } = proposedInstallation(basis);
      installationSpec.parse(spec);
      expect(
        installationProblems(spec, installationContextOf(basis)).filter(({ severity }) => severity === 'error'),
      ).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

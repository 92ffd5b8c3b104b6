import { expect, test } from 'vitest';
import { type EmulatedOperator, releaseOf } from '../releases.ts';
import { type DefaultsContext, poolsWithDefaults, withDefaults } from './defaults.ts';

const around = (like: EmulatedOperator, more: Partial<DefaultsContext> = {}): DefaultsContext => ({
  release: releaseOf(like),
  provider: '',
  pools: [],
  awsNode: false,
  ...more,
});

test('an empty spec gets what was recorded (install-enable-rollback-3.31.4.jsonl, t=4.13)', () => {
  expect(withDefaults({}, around('v3.31.4'))).toEqual({
    variant: 'Calico',
    cni: { type: 'Calico', ipam: { type: 'Calico' }, binDir: '/opt/cni/bin', confDir: '/etc/cni/net.d' },
    calicoNetwork: {
      bgp: 'Enabled',
      hostPorts: 'Enabled',
      linuxDataplane: 'Iptables',
      linuxPolicySetupTimeoutSeconds: 0,
      multiInterfaceMode: 'None',
      windowsDataplane: 'Disabled',
    },
    controlPlaneReplicas: 2,
    flexVolumePath: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
    kubeletVolumePluginPath: '/var/lib/kubelet',
    logging: { cni: { logFileMaxAgeDays: 30, logFileMaxCount: 10, logFileMaxSize: '100Mi', logSeverity: 'Info' } },
    nodeUpdateStrategy: { rollingUpdate: { maxUnavailable: 1 }, type: 'RollingUpdate' },
    nonPrivileged: 'Disabled',
  });
});

test('defaults of defaults change nothing', () => {
  const once = withDefaults({ calicoNetwork: { linuxDataplane: 'BPF' } }, around('v3.31.4'));
  expect(withDefaults(once, around('v3.31.4'))).toEqual(once);
});

test('v3.30.7 writes neither the folders of CNI nor nonPrivileged (upgrade-3.30.7-to-3.31.4.jsonl, t=4.05)', () => {
  const spec = withDefaults({}, around('v3.30.7'));
  expect(spec.cni?.binDir).toBeUndefined();
  expect(spec.nonPrivileged).toBeUndefined();
});

test.each([
  ['v3.31.4', 'BPF', 'Enabled'],
  ['v3.31.4', 'Iptables', 'Enabled'],
] as const)('%s with %s: hostPorts null becomes %s', (like, linuxDataplane, expected) => {
  expect(withDefaults({ calicoNetwork: { linuxDataplane } }, around(like)).calicoNetwork?.hostPorts).toBe(expected);
});

test('a deliberate Disabled stays', () => {
  expect(withDefaults({ calicoNetwork: { hostPorts: 'Disabled' } }, around('v3.31.4')).calicoNetwork?.hostPorts).toBe(
    'Disabled',
  );
});

test.each([
  ['EKS', 'AmazonVPC', 'Disabled'],
  ['AKS', 'AzureVNET', 'Disabled'],
  ['GKE', 'GKE', 'Disabled'],
  ['', 'Calico', 'Enabled'],
] as const)('provider %j: CNI %s, BGP %s', (provider, cni, bgp) => {
  const spec = withDefaults({}, around('v3.31.4', { provider }));
  expect([spec.cni?.type, spec.calicoNetwork?.bgp]).toEqual([cni, bgp]);
});

test('autodetection: V4 with BPF or a v4 pool in the cluster, V6 with a v6 pool only', () => {
  const detect = (linuxDataplane: 'BPF' | 'Iptables', pools: string[]) => {
    const network = withDefaults({ calicoNetwork: { linuxDataplane } }, around('v3.31.4', { pools })).calicoNetwork;
    return [network?.nodeAddressAutodetectionV4, network?.nodeAddressAutodetectionV6];
  };
  expect(detect('Iptables', [])).toEqual([undefined, undefined]);
  expect(detect('BPF', [])).toEqual([{ firstFound: true }, undefined]);
  expect(detect('Iptables', ['192.168.0.0/16'])).toEqual([{ firstFound: true }, undefined]);
  expect(detect('Iptables', ['fd00::/64'])).toEqual([undefined, { firstFound: true }]);
});

const poolAround = { calicoCni: true, calicoIpam: true, provider: '', existing: [], platformCidrs: [] } as const;

test.each([
  ['no pools anywhere', undefined, poolAround, ['192.168.0.0/16']],
  ['EKS', undefined, { ...poolAround, provider: 'EKS' as const }, ['172.16.0.0/16']],
  ['pools in the cluster', undefined, { ...poolAround, existing: ['10.0.0.0/16'] }, []],
  ['none on purpose', [], poolAround, []],
  [
    'CIDRs of kubeadm',
    undefined,
    { ...poolAround, platformCidrs: ['10.244.0.0/16', 'fd00::/64'] },
    ['10.244.0.0/16', 'fd00::/64'],
  ],
])('pools, %s', (_, given, context, cidrs) => {
  expect(poolsWithDefaults(given, context).map((pool) => pool.cidr)).toEqual(cidrs);
});

test('each pool gets a name of its own', () => {
  const names = poolsWithDefaults(
    [{ cidr: '10.0.0.0/16' }, { cidr: '10.1.0.0/16' }, { cidr: 'fd00::/64' }],
    poolAround,
  ).map((pool) => pool.name);
  expect(names).toEqual(['default-ipv4-ippool', 'default-ipv4-ippool-1', 'default-ipv6-ippool']);
});

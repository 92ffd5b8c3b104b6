import { expect, test } from 'vitest';
import { ipPoolOf, kubeadmPodSubnets } from './pools.ts';

test('a pool as it was recorded (install-enable-rollback-3.31.4.jsonl, t=4.16)', () => {
  const pool = ipPoolOf({
    name: 'default-ipv4-ippool',
    cidr: '192.168.0.0/16',
    encapsulation: 'VXLANCrossSubnet',
    natOutgoing: 'Enabled',
    nodeSelector: 'all()',
    blockSize: 26,
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
    disableBGPExport: false,
    disableNewAllocations: false,
  });
  expect(pool.metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'tigera-operator' });
  expect(pool.spec).toEqual({
    allowedUses: ['Workload', 'Tunnel'],
    assignmentMode: 'Automatic',
    blockSize: 26,
    cidr: '192.168.0.0/16',
    ipipMode: 'Never',
    natOutgoing: true,
    nodeSelector: 'all()',
    vxlanMode: 'CrossSubnet',
  });
});

test.each([
  ['networking:\n  podSubnet: 10.244.0.0/16\n', ['10.244.0.0/16']],
  ['networking:\n  podSubnet: 10.244.0.0/16,fd00::/64\n', ['10.244.0.0/16', 'fd00::/64']],
  ['networking:\n  serviceSubnet: 10.96.0.0/12\n', null],
])('podSubnet in %j', (text, expected) => {
  expect(kubeadmPodSubnets(text)).toEqual(expected);
});

import { expect, test } from 'vitest';
import { ipPoolOf, kubeadmPodSubnets, poolProblem } from './pools.ts';

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

test.each([
  [[{ name: 'a', cidr: '10.0.0.0/16', blockSize: 19 }], 'blockSize 19 is not between 20 and 32'],
  [[{ name: 'a', cidr: '10.0.0.0/28', blockSize: 26 }], 'is smaller than a block of /26'],
  [
    [
      { name: 'a', cidr: '10.0.0.0/16', blockSize: 26 },
      { name: 'a', cidr: '10.1.0.0/16', blockSize: 26 },
    ],
    'name a is used twice',
  ],
  [
    [
      { name: 'a', cidr: '10.0.0.0/16', blockSize: 26 },
      { name: 'b', cidr: '10.0.0.0/16', blockSize: 26 },
    ],
    'CIDR 10.0.0.0/16 is used twice',
  ],
  [[{ name: 'a', cidr: 'fd00::/64', blockSize: 122 }], null],
])('%j: %s', (pools, problem) => {
  if (problem) expect(poolProblem(pools)).toContain(problem);
  else expect(poolProblem(pools)).toBeNull();
});

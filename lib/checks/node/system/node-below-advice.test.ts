import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../../testing/a-facts.ts';
import { find } from '../../testing/find.ts';

test.each([
  ['5.4.0-1103-aws', 'Ubuntu 20.04.6 LTS', 'fail'],
  ['5.15.0-1084-azure', 'Ubuntu 20.04.6 LTS', 'fail'],
  ['5.15.0-1084-azure', 'Ubuntu 22.04.5 LTS', 'pass'],
  ['4.18.0-193.el8.x86_64', 'Red Hat Enterprise Linux 8.2 (Ootpa)', 'fail'],
  ['4.18.0-305.el8.x86_64', 'Red Hat Enterprise Linux 8.4 (Ootpa)', 'pass'],
  ['4.18.0-553.16.1.el8_10.x86_64', 'Rocky Linux 8.10 (Green Obsidian)', 'pass'],
  ['5.10.0-32-amd64', 'Debian GNU/Linux 11 (bullseye)', 'pass'],
  ['5.4.250', 'Buildroot 2024.02', 'fail'],
  ['', 'Ubuntu 24.04.1 LTS', 'pass'],
  ['4.15.0-213-generic', 'Ubuntu 18.04.6 LTS', 'pass'],
  ['5.4.0-150-generic', 'Ubuntu 18.04.6 LTS', 'pass'],
])('%s on %s: %s', (kernel, osImage, status) => {
  const finding = find('node.below-advice', { nodes: [aNode({ kernel, osImage })] });
  expect([finding.status, finding.severity]).toEqual([status, 'info']);
});

// This check passes where node.distribution already decides: by the kernel of CentOS 8, and by AKS's own image.
test.each([
  ['4.18.0-193.el8.x86_64', 'CentOS Linux 8 (Core)', 'kubeadm', 'pass', 'fail'],
  ['4.18.0-190.el8.x86_64', 'CentOS Linux 8 (Core)', 'kubeadm', 'fail', 'pass'],
  ['5.4.0-1103-azure', 'Ubuntu 18.04.6 LTS', 'aks', 'pass', 'fail'],
  ['5.4.0-1103-azure', 'Ubuntu 18.04.6 LTS', 'kubeadm', 'fail', 'pass'],
] as const)('%s on %s of %s: node.distribution says %s, the advice %s', (kernel, osImage, kind, decided, advised) => {
  const facts = { nodes: [aNode({ kernel, osImage })], platform: { kind } };
  expect([find('node.distribution', facts).status, find('node.below-advice', facts).status]).toEqual([
    decided,
    advised,
  ]);
});

test('nodes that were not read are unknown', () => {
  expect(find('node.below-advice', uncover(aFacts({ nodes: [] }), 'nodes')).status).toBe('unknown');
});

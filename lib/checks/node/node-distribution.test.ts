import { expect, test } from 'vitest';
import { aNode } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

test.each([
  ['Ubuntu 24.04.1 LTS', '6.8.0-45-generic', 'pass'],
  ['Ubuntu 20.04.6 LTS', '5.4.0-42-generic', 'pass'],
  ['Ubuntu 19.10', '5.3.0-24-generic', 'fail'],
  ['Ubuntu 18.04.6 LTS', '5.4.0-1103-aws', 'fail'],
  ['Ubuntu Core 18', '5.4.0-42-generic', 'pass'],
  ['Ubuntu Plucky Puffin (development branch)', '6.11.0-8-generic', 'unknown'],
  ['Red Hat Enterprise Linux 8.2 (Ootpa)', '4.18.0-193.el8.x86_64', 'pass'],
  ['Red Hat Enterprise Linux 8.1 (Ootpa)', '4.18.0-147.el8.x86_64', 'fail'],
  ['Red Hat Enterprise Linux 8.10 (Ootpa)', '4.18.0-553.el8_10.x86_64', 'pass'],
  ['Rocky Linux 9.4 (Blue Onyx)', '5.14.0-427.el9.x86_64', 'pass'],
  ['Oracle Linux Server 7.9', '5.4.17-2136.307.3.1.el7uek.x86_64', 'fail'],
  ['CentOS Linux 7 (Core)', '5.4.276-1.el7.elrepo.x86_64', 'fail'],
  // CentOS says only "8": the kernel tells 8.1 from 8.2.
  ['CentOS Linux 8 (Core)', '4.18.0-147.el8.x86_64', 'fail'],
  ['CentOS Linux 8 (Core)', '4.18.0-193.el8.x86_64', 'pass'],
  ['CentOS Linux 8', 'custom', 'unknown'],
  ['CentOS Stream 8', '4.18.0-552.el8.x86_64', 'pass'],
  ['CentOS Stream 9', '5.14.0-505.el9.x86_64', 'pass'],
  // The kernel's rule only.
  ['Debian GNU/Linux 10 (buster)', '4.19.0-27-amd64', 'pass'],
  ['Amazon Linux 2', '5.10.226-214.880.amzn2.x86_64', 'pass'],
  ['SUSE Linux Enterprise Server 15 SP5', '5.14.21-150500.55.83-default', 'pass'],
  ['Fedora Linux 41 (Cloud Edition)', '6.11.4-301.fc41.x86_64', 'pass'],
  ['Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)', '5.14.0-284.36.1.el9_2.x86_64', 'pass'],
  ['Red Hat Enterprise Linux CoreOS 48.84.202109100857-0 (Ootpa)', '4.18.0-305.19.1.el8_4.x86_64', 'pass'],
  ['Bottlerocket OS 1.21.1 (aws-k8s-1.31)', '6.1.102', 'pass'],
  ['Talos (v1.8.1)', '6.6.52-talos', 'pass'],
  // A node without an osImage is unknown; only a named distribution can lack a rule.
  ['', '6.6.52', 'unknown'],
])('%s with %s: %s', (osImage, kernel, expected) => {
  expect(find('node.distribution', { nodes: [aNode({ osImage, kernel })] }).status).toBe(expected);
});

test.each([
  ['aks', 'pass'],
  ['eks', 'fail'],
  ['kubeadm', 'fail'],
] as const)("Ubuntu 18.04 on %s: %s, because only AKS's image of it has a new kernel", (platform, expected) => {
  const nodes = [aNode({ osImage: 'Ubuntu 18.04.6 LTS', kernel: '5.4.0-1103-azure' })];
  expect(find('node.distribution', { nodes, platform: { kind: platform } }).status).toBe(expected);
  expect(find('node.distribution', { nodes }, { platform }).status).toBe(expected);
});

test('it names the release and the one that is needed', () => {
  const finding = find('node.distribution', { nodes: [aNode({ osImage: 'Ubuntu 18.04.6 LTS' })] });
  expect(subjectLines(finding)).toEqual(['Node worker-1: Ubuntu 18.04.6 LTS, 20.04 is needed']);
  expect(finding.because).toBe(
    'The only node runs a distribution release that is too old: worker-1 (Ubuntu 18.04.6 LTS, 20.04 is needed).',
  );
});

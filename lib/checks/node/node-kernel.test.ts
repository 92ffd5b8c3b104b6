import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

test.each([
  ['4.18.0-193.el8.x86_64', 'Red Hat Enterprise Linux 8.2 (Ootpa)', 'pass'],
  ['4.18.0-193.1.2.el8_2.x86_64', 'Red Hat Enterprise Linux 8.2 (Ootpa)', 'pass'],
  ['4.18.0-147.el8.x86_64', 'Red Hat Enterprise Linux 8.1 (Ootpa)', 'fail'],
  ['4.18.0-80.el8.x86_64', 'CentOS Linux 8 (Core)', 'fail'],
  ['4.18.0-553.16.1.el8_10.x86_64', 'Rocky Linux 8.10 (Green Obsidian)', 'pass'],
  ['5.14.0-427.13.1.el9_4.x86_64', 'AlmaLinux 9.4 (Seafoam Ocelot)', 'pass'],
  ['6.12.0-55.9.1.el10_0.x86_64', 'Red Hat Enterprise Linux 10.0 (Coughlan)', 'pass'],
  ['5.15.0-206.153.7.1.el8uek.x86_64', 'Oracle Linux Server 8.10', 'pass'],
  ['4.14.35-2047.520.3.1.el7uek.x86_64', 'Oracle Linux Server 7.9', 'fail'],
  ['3.10.0-1160.119.1.el7.x86_64', 'CentOS Linux 7 (Core)', 'fail'],
  ['4.18.0-305.19.1.el8_4.x86_64', 'Red Hat Enterprise Linux CoreOS 48.84.202109100857-0 (Ootpa)', 'pass'],
  ['5.14.0-284.36.1.el9_2.x86_64', 'Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)', 'pass'],
  ['5.4.0-1103-aws', 'Ubuntu 20.04.6 LTS', 'pass'],
  ['5.15.0-1084-azure', 'Ubuntu 22.04.5 LTS', 'pass'],
  ['4.15.0-213-generic', 'Ubuntu 18.04.6 LTS', 'fail'],
  ['6.1.0-rc3', 'Debian GNU/Linux trixie/sid', 'pass'],
  ['4.19.0-27-amd64', 'Debian GNU/Linux 10 (buster)', 'fail'],
  ['5.10.0-32-amd64', 'Debian GNU/Linux 11 (bullseye)', 'pass'],
  ['5.10.102.1-microsoft-standard-WSL2', 'Ubuntu 22.04.4 LTS', 'pass'],
  ['4.14.355-275.572.amzn2.x86_64', 'Amazon Linux 2', 'fail'],
  ['5.10.226-214.880.amzn2.x86_64', 'Amazon Linux 2', 'pass'],
  ['6.1.109-118.189.amzn2023.x86_64', 'Amazon Linux 2023.5.20240916', 'pass'],
  ['6.1.102', 'Bottlerocket OS 1.21.1 (aws-k8s-1.31)', 'pass'],
  ['6.6.52-talos', 'Talos (v1.8.1)', 'pass'],
  ['6.1.96-flatcar', 'Flatcar Container Linux by Kinvolk 3815.2.5 (Oklo)', 'pass'],
  ['5.3', 'Buildroot 2024.02', 'pass'],
  ['5.2.21', 'Buildroot 2019.11', 'fail'],
  ['', 'Ubuntu 24.04.1 LTS', 'unknown'],
  ['custom-build', 'Ubuntu 24.04.1 LTS', 'unknown'],
])('%s on %s: %s', (kernel, osImage, expected) => {
  expect(find('node.kernel', { nodes: [aNode({ kernel, osImage })] }).status).toBe(expected);
});

test('every node that fails is named with its kernel, its system and what is needed', () => {
  const finding = find('node.kernel', {
    nodes: [
      aNode({ name: 'worker-1' }),
      aNode({ name: 'worker-3', kernel: '4.18.0-147.el8.x86_64', osImage: 'Red Hat Enterprise Linux 8.1 (Ootpa)' }),
      aNode({ name: 'worker-9', kernel: '4.15.0-213-generic', osImage: 'Ubuntu 18.04.6 LTS' }),
    ],
  });
  expect(finding.because).toBe(
    '2 of 3 nodes cannot run eBPF: worker-3 (4.18.0-147.el8.x86_64 on Red Hat Enterprise Linux 8.1 (Ootpa), 4.18.0-193 is needed) and worker-9 (4.15.0-213-generic on Ubuntu 18.04.6 LTS, 5.3 is needed).',
  );
  expect(subjectLines(finding)).toEqual([
    'Node worker-3: 4.18.0-147.el8.x86_64 on Red Hat Enterprise Linux 8.1 (Ootpa), 4.18.0-193 is needed',
    'Node worker-9: 4.15.0-213-generic on Ubuntu 18.04.6 LTS, 5.3 is needed',
  ]);
});

test('one that fails outweighs one that cannot be read, which is mentioned', () => {
  const finding = find('node.kernel', { nodes: [aNode({ kernel: '4.4.0' }), aNode({ name: 'odd', kernel: '?' })] });
  expect(finding.status).toBe('fail');
  expect(finding.because).toMatch(/1 more node could not be judged\.$/);
});

test('nodes that never run an agent, and Windows nodes, do not count', () => {
  const nodes = [
    aNode({ kernel: '4.14', virtual: true }),
    aNode({ kernel: '10.0.20348.2700', os: 'windows', osImage: 'Windows Server 2022 Datacenter' }),
  ];
  expect(find('node.kernel', { nodes }).status).toBe('pass');
});

test('without nodes to read it is unknown', () => {
  expect(find('node.kernel', uncover(aFacts({ nodes: [] }), 'nodes')).status).toBe('unknown');
});

test.each<[string, Parameters<typeof aFacts>[0], boolean, string]>([
  ['before the switch', {}, false, 'is needed).'],
  ['on eBPF', { installation: { dataplane: { actual: 'BPF' } } }, true, 'falls back to iptables there.'],
  [
    'on eBPF with the service proxy off',
    { installation: { dataplane: { actual: 'BPF' } }, proxy: { running: false } },
    true,
    'nothing serves Services.',
  ],
])('%s: an outage only where it hurts now', (_when, given, isOutage, end) => {
  const finding = find('node.kernel', { ...given, nodes: [aNode({ kernel: '4.15.0' })] });
  expect([finding.status, finding.outage, finding.because.endsWith(end)]).toEqual(['fail', isOutage, true]);
});

test('each way out has its own commands, for the first node and in a shell’s words; on kubeadm also how another joins', () => {
  const old = { kernel: '4.15.0', osImage: 'Ubuntu 18.04.6 LTS' };
  const steps = (names: string[], kind: 'kubeadm' | 'eks') =>
    find('node.kernel', {
      platform: { kind },
      nodes: [aNode({ name: 'fine' }), ...names.map((name) => aNode({ ...old, name }))],
    }).remedy.steps;
  expect(steps(['worker-3'], 'kubeadm')).toEqual([
    'Upgrade the kernel of this node and restart it. Move the pods away before: `kubectl drain worker-3 --ignore-daemonsets`. Let pods in again afterwards: `kubectl uncordon worker-3`.',
    'Or replace it with a node whose image has a newer kernel. On a control plane node, this prints how a new node joins: `kubeadm token create --print-join-command`.',
    'Or remove it from the cluster once its pods are moved away: `kubectl delete node worker-3`.',
    'Check again.',
  ]);
  expect(steps(['worker-3', 'worker-9'], 'eks').slice(0, 3)).toEqual([
    'Upgrade the kernel of these nodes and restart them, one after the other. Move the pods away before: `kubectl drain worker-3 --ignore-daemonsets`. Let pods in again afterwards: `kubectl uncordon worker-3`.',
    'Or replace them with nodes whose image has a newer kernel.',
    'Or remove them from the cluster, each once its pods are moved away: `kubectl delete node worker-3`.',
  ]);
  const [odd = ''] = steps(['a`; reboot #'], 'eks');
  expect(odd.split('`')).toHaveLength(5);
  expect(odd).toContain('\\140; reboot #');
});

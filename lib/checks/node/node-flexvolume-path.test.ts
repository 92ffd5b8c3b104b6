import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { installation } from '../testing/calico-objects.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'node.flexvolume-path';
const bottlerocket = 'Bottlerocket OS 1.21.1 (aws-k8s-1.31)';
const rhcos = 'Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)';

test.each([
  ['Amazon Linux 2023.5.20240916', 'eks', {}, 'pass'],
  ['', 'eks', {}, 'unknown'],
  ['', 'eks', { flexVolumePath: 'None' }, 'pass'],
  [bottlerocket, 'eks', {}, 'fail'],
  [bottlerocket, 'eks', { flexVolumePath: '/var/lib/kubelet/plugins' }, 'pass'],
  [bottlerocket, 'eks', { flexVolumePath: '/var/lib/kubelet/plugins/' }, 'pass'],
  [bottlerocket, 'eks', { flexVolumePath: '/opt/flex/' }, 'fail'],
  [bottlerocket, 'eks', { flexVolumePath: 'None' }, 'pass'],
  ['Talos (v1.8.1)', 'talos', {}, 'fail'],
  ['Talos (v1.8.1)', 'talos', { flexVolumePath: '/usr/libexec/kubernetes/' }, 'fail'],
  ['Talos (v1.8.1)', 'talos', { flexVolumePath: '/var/flex/' }, 'pass'],
  ['Talos (v1.8.1)', 'talos', { flexVolumePath: ['x'] }, 'fail'],
  [rhcos, 'openshift', {}, 'pass'],
  [rhcos, 'openshift', { kubernetesProvider: 'OpenShift' }, 'pass'],
  ['Flatcar Container Linux by Kinvolk 3815.2.5 (Oklo)', 'kubeadm', {}, 'fail'],
  ['Flatcar Container Linux by Kinvolk 3815.2.5 (Oklo)', 'aks', { kubernetesProvider: 'AKS' }, 'pass'],
] as const)('%s on %s with %o: %s', (osImage, kind, spec, expected) => {
  const facts = { nodes: [aNode({ osImage })], platform: { kind }, resources: { objects: installation(spec) } };
  expect(find(id, facts).status).toBe(expected);
});

test('what is set with the plan counts already, and needs no Installation', () => {
  const facts = aFacts({ nodes: [aNode({ osImage: bottlerocket })] });
  const set = { flexVolumePath: '/var/lib/kubelet/plugins/' };
  expect(find(id, uncover(facts, 'installation'), { set }).status).toBe('pass');
  expect(find(id, facts, { goal: 'install', installation: set }).status).toBe('pass');
  expect(find(id, uncover(facts, 'installation'), { set: {} }).status).toBe('fail');
});

test('what an install would propose is no answer while an Installation that somebody began may be there', () => {
  const facts = aFacts({
    nodes: [aNode({ osImage: 'Talos (v1.8.1)' })],
    platform: { kind: 'talos' },
    resources: { objects: { 'Installation/default': null } },
  });
  const install = { goal: 'install' } as const;
  expect(find(id, facts, install)).toMatchObject({ status: 'pass', because: 'flexVolumePath is "None".' });
  expect(find(id, uncover(facts, 'installation'), install).status).toBe('unknown');
});

test('every node is named, with the value that is right there', () => {
  const finding = find(id, { nodes: [aNode(), aNode({ name: 'worker-2', osImage: bottlerocket })] });
  expect(finding.because).toBe(
    `1 of 2 nodes cannot make the folder for FlexVolume: worker-2 (${bottlerocket}, flexVolumePath is not set, and its default is below /usr). "/var/lib/kubelet/plugins/" is right here.`,
  );
  expect(subjectLines(finding)).toHaveLength(1);
  expect(finding).toMatchObject({ severity: 'blocking', remedy: { autofix: 'installation.options' } });
});

test('nodes or an Installation that could not be read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'nodes')).status).toBe('unknown');
  const set = aFacts({
    nodes: [aNode({ osImage: 'Talos (v1.8.1)' })],
    resources: { objects: installation({ flexVolumePath: 'None' }) },
  });
  expect(find(id, uncover(set, 'installation')).status).toBe('unknown');
});

import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'node.cgroup-path';
const talos = aNode({ name: 'talos-1', osImage: 'Talos (v1.8.1)', kernel: '6.6.52-talos' });

test.each([
  ['Ubuntu 24.04.1 LTS', undefined, 'pass'],
  ['Talos (v1.8.1)', undefined, 'fail'],
  ['Bottlerocket OS 1.21.1 (aws-k8s-1.31)', undefined, 'fail'],
  ['Red Hat Enterprise Linux CoreOS 414.92.202310210434-0 (Plow)', undefined, 'fail'],
  ['Flatcar Container Linux by Kinvolk 3815.2.5 (Oklo)', undefined, 'fail'],
  ['Fedora CoreOS 40.20240906.3.0', undefined, 'fail'],
  ['Fedora Linux 40 (Server Edition)', undefined, 'pass'],
  ['', undefined, 'unknown'],
  ['Talos (v1.8.1)', '/sys/fs/cgroup', 'pass'],
  ['Talos (v1.8.1)', '', 'fail'],
  ['Talos (v1.8.1)', 7, 'fail'],
])('%s with cgroupV2Path %o: %s', (osImage, cgroupV2Path, expected) => {
  const objects = felix(cgroupV2Path === undefined ? {} : { cgroupV2Path });
  expect(find(id, { nodes: [aNode({ osImage })], resources: { objects } }).status).toBe(expected);
});

test('a plan fixes it where a folder is known to be right for all of them', () => {
  const finding = find(id, { nodes: [aNode(), talos] });
  expect(finding).toMatchObject({ severity: 'warning', remedy: { autofix: 'felix.options' } });
  expect(finding.because).toBe(
    '1 of 2 nodes runs an immutable system, and cgroupV2Path is not set: talos-1 (Talos (v1.8.1)).',
  );
  const mixed = find(id, { nodes: [talos, aNode({ osImage: 'Bottlerocket OS 1.21.1 (aws-k8s-1.31)' })] });
  expect(mixed.remedy.autofix).toBeUndefined();
});

test('a release that lacks the field is upgraded first', () => {
  const finding = find(id, { nodes: [talos], installation: { version: 'v3.29.1' } });
  expect(finding.because).toContain('Calico v3.29.1 does not have that field; it came with v3.30.4.');
  expect(finding.remedy.autofix).toBeUndefined();
});

test('nodes or settings that were not read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'nodes')).status).toBe('unknown');
  const set = aFacts({ nodes: [talos], resources: { objects: felix({ cgroupV2Path: '/sys/fs/cgroup' }) } });
  expect(find(id, uncover(set, 'felix')).status).toBe('unknown');
  expect(find(id, uncover(aFacts(), 'felix')).status).toBe('pass');
});

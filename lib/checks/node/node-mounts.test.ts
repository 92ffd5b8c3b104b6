import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'node.mounts';

test('it is unknown until a pod on each node has tried, and names the folder that was chosen', () => {
  const nodes = [aNode(), aNode({ name: 'worker-2', osImage: 'Talos (v1.8.1)' })];
  const finding = find(id, { nodes, resources: { objects: felix({ cgroupV2Path: '/sys/fs/cgroup' }) } });
  expect(finding).toMatchObject({
    status: 'unknown',
    severity: 'blocking',
    notMeasured: expect.stringContaining('bpffs'),
  });
  expect(finding.because).toBe(
    'Not tested: 2 nodes with 2 systems would have to mount bpffs at /sys/fs/bpf and cgroup2 at "/sys/fs/cgroup".',
  );
  expect(find(id).because).toContain('"/run/calico/cgroup"');
});

test('a setting that was not read is unknown, and no test of the nodes would answer it', () => {
  expect(find(id, uncover(aFacts(), 'felix'))).toMatchObject({ status: 'unknown', notMeasured: null });
});

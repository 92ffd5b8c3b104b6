import { expect, test } from 'vitest';
import { cgroupPathFor, flexVolumePathFor } from './immutable-systems.ts';

test.each([
  [['talos'], '/sys/fs/cgroup'],
  [['talos', 'talos'], '/sys/fs/cgroup'],
  [['bottlerocket'], null],
  [['talos', 'bottlerocket'], null],
  [['no-such-system'], null],
  [[], null],
])('cgroup2 on %o: %s', (ids, path) => {
  expect(cgroupPathFor(ids)).toBe(path);
});

test.each([
  [['bottlerocket'], '/var/lib/kubelet/plugins/'],
  [['bottlerocket', 'talos'], 'None'],
  [['flatcar'], 'None'],
])('FlexVolume on %o: %s', (ids, path) => {
  expect(flexVolumePathFor(ids)).toBe(path);
});

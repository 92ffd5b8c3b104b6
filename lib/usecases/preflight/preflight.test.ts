import { afterEach, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore, instantClock, type Kube, KubeError } from '#lib/kube/index.ts';
import { probeNames } from '#lib/probe/index.ts';
import { names } from '#lib/spec/index.ts';
import { withKeptMeasurement } from './kept-measurement.ts';
import { preflight } from './preflight.ts';
import type { PreparedProbe } from './prepare-probe.ts';

const prepared: PreparedProbe = {
  question: { nodes: [], endpoint: null, interfacePattern: null, release: 'v3.31.4' },
  plan: { release: 'v3.31.4', images: [], flexVolumeFolder: null },
  agentless: [],
  settings: {
    ...{ run: 300, image: 'quay.io/calico/node:v3.31.4', endpoint: null, addresses: [], vxlanPort: 4789 },
    ...{ cgroupFolder: '/run/calico/cgroup', nodeSelector: {}, podNetwork: 'not-yet' },
  },
};

afterEach(async () => {});

test.each([
  ['removed', 'removed', true],
  ['kept', 'kept', true],
  ['removed', 'left', false],
] as const)('what was to be %s is kept with what was measured as %s', async (afterwards, ended, mayDelete) => {
  const clock = instantClock();
  const store = createStore({ name: 'test', source: 'live', clock });
  store.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.systemNamespace, uid: 'uid-of-cluster' } },
  ]);
  const refused = () => Promise.reject(new KubeError('forbidden', 'It may not be deleted.'));
  const kube: Kube = mayDelete ? store : { ...store, delete: refused };
  const stateFolder = testFolder('preflight');
  const { signal } = new AbortController();
  await preflight({ kube, clock, clusterUid: 'uid-of-cluster', prepared, afterwards, stateFolder, signal });
  const { plan } = (await withKeptMeasurement(kube, stateFolder, clock).measureNodes?.(null)) ?? {};
  expect(plan?.objects).toContain(`Namespace/${probeNames.namespace}`);
  expect(plan?.ended).toBe(ended);
});

import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { openSandbox } from '../open.ts';

const network = { resource: resources.openshiftNetworkConfigs, name: 'cluster' };
const daemonSet = {
  resource: resources.daemonSets,
  namespace: 'openshift-kube-proxy',
  name: 'openshift-kube-proxy',
};

test('on OpenShift the proxy goes with deployKubeProxy, and comes back with it', async () => {
  const { kube, clock, close } = await openSandbox('openshift', { speed: 'instant' });
  const pods = async () => {
    const found = [];
    for await (const page of kube.list(resources.pods, { namespace: 'openshift-kube-proxy' }))
      found.push(...page.items);
    return found.length;
  };
  const before = await kube.get(daemonSet);
  expect([before === null, await pods()]).toEqual([false, 6]);

  await kube.patch(network, { type: 'merge', body: { spec: { deployKubeProxy: false } } });
  await clock.sleep(20_000);
  expect([await kube.get(daemonSet), await pods()]).toEqual([null, 0]);

  // Unset asks for the proxy where the network is not OpenShift's own.
  await kube.patch(network, { type: 'merge', body: { spec: { deployKubeProxy: null } } });
  await clock.sleep(60_000);
  const after = await kube.get(daemonSet);
  expect(after?.spec).toEqual(before?.spec);
  expect(Object(after?.status).numberReady).toBe(6);
  await close();
});

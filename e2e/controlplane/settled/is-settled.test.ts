import { expect, test } from 'vitest';
import { type Api, ApiError, type KubeObject } from '../api.ts';
import { isSettled } from './is-settled.ts';

const rolledOut = { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 };

test('Calico that has rolled out and whose Installation stays as it is stands still', async () => {
  expect(await isSettled({ api: anApi([installation('7', 'v3.31.4')]) })).toBe(true);
});

test('a version that is set, and unset a moment later, is not the end', async () => {
  expect(await isSettled({ api: anApi([installation('7', 'v3.31.4'), installation('8')]) })).toBe(false);
  expect(await isSettled({ api: anApi([installation('7', 'v3.31.4'), installation('9', 'v3.31.4')]) })).toBe(false);
});

test.each<[string, object]>([
  ['whose controller has said nothing yet', {}],
  ['with a pod that is not available', { status: { ...rolledOut, numberAvailable: 1 } }],
  ['with a pod of the template before', { status: { ...rolledOut, updatedNumberScheduled: 1 } }],
])('a DaemonSet %s is not the end', async (_what, daemonSet) => {
  expect(await isSettled({ api: anApi([installation('7', 'v3.31.4')], daemonSet) })).toBe(false);
});

test('an Installation without a version, and a kind that is not served yet, are not the end', async () => {
  expect(await isSettled({ api: anApi([installation('7')]) })).toBe(false);
  expect(await isSettled({ api: anApi([]) })).toBe(false);
});

/** Returns the next Installation at each read, and the last one from then on. Without any, its kind is not served. */
function anApi(installations: readonly KubeObject[], daemonSet: object = { status: rolledOut }): Api {
  let looks = 0;
  const lists: Record<string, readonly unknown[]> = {
    '/apis/apps/v1/daemonsets': [{ metadata: { name: 'calico-node' }, ...daemonSet }],
    '/apis/apps/v1/deployments': [],
    '/apis/operator.tigera.io/v1/tigerastatuses': [{ metadata: { name: 'calico' }, status: { conditions } }],
  };
  return {
    list: async (path: string) => lists[path],
    get: async () => {
      const seen = installations[Math.min(looks++, installations.length - 1)];
      if (seen === undefined) throw new ApiError(404, 'not found');
      return seen;
    },
  } as unknown as Api;
}

const conditions = Object.entries({ Available: 'True', Progressing: 'False', Degraded: 'False' }).map(
  ([type, status]) => ({ type, status, reason: 'AllObjectsAvailable', observedGeneration: 2 }),
);

function installation(resourceVersion: string, calicoVersion?: string): KubeObject {
  const metadata = { name: 'default', generation: 2, resourceVersion };
  return { apiVersion: 'operator.tigera.io/v1', kind: 'Installation', metadata, status: { calicoVersion } };
}

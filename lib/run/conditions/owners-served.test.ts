import { expect, test } from 'vitest';
import { instantClock, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { createStore } from '#lib/kube/store/index.ts';
import type { OwnedObject } from '#lib/plan/index.ts';
import { type Resource, resources, v3Uid } from '#lib/spec/index.ts';
import { ownersServed } from './owner-references.ts';

/** What Calico's own API serves as UIDs and what is computed from the stored objects must agree: at each read, and in several in a row. */

const uid = '5d0c2a2a-9b1e-4f0e-8f4c-1b6f3a1c7e01';
const derived = v3Uid(uid) ?? '';
const stored: Resource = {
  ...{ group: 'crd.projectcalico.org', version: 'v1', kind: 'NetworkPolicy' },
  ...{ plural: 'networkpolicies', namespaced: true },
};
const shown: Resource = { ...stored, group: 'projectcalico.org', version: 'v3' };
const policy = (apiVersion: string, its: string): KubeObject => ({
  apiVersion,
  kind: 'NetworkPolicy',
  metadata: { name: 'default.cart', namespace: 'shop', uid: its },
});
const dependant: OwnedObject = {
  target: { resource: resources.configMaps, namespace: 'shop', name: 'settings' },
  uid: 'c0ffee00-0000-4000-8000-000000000001',
  references: [{ apiVersion: 'projectcalico.org/v3', kind: 'NetworkPolicy', name: 'default.cart', uid }],
};

/** Both servers of a rollout answer in turn: the UID of each read, the last one for good; null: this one is away. */
async function servedIn(...answers: readonly (string | null)[]) {
  const clock = instantClock();
  const objects = [policy('crd.projectcalico.org/v1', uid), policy('projectcalico.org/v3', uid)];
  const store = createStore({ name: 'lab', source: 'live', kinds: [stored, shown], objects, clock });
  let reads = 0;
  const kube: Kube = {
    ...store,
    get: async (ref, options) => {
      if (ref.resource.group !== shown.group) return store.get(ref, options);
      const served = answers[Math.min(reads++, answers.length - 1)];
      if (!served) throw new KubeError('server', 'no endpoints available for service "calico-api"');
      return policy('projectcalico.org/v3', served);
    },
  };
  const { signal } = new AbortController();
  const condition = { kind: 'owners-served' as const, dependants: [dependant], uids: 'derived' as const };
  return { progress: await ownersServed(condition, { kube, clock, signal }), reads };
}

test('the UID that is computed counts once it was served three times in a row', async () => {
  expect(await servedIn(derived)).toMatchObject({ progress: { kind: 'met' }, reads: 3 });
});

test.each([
  ['the earlier release', [uid], `serves it with the UID ${uid}, as another release does`],
  ['the earlier release in the middle of a rollout', [derived, uid, derived], `serves it with the UID ${uid}`],
  ['nobody, at the last of three reads', [derived, derived, null], 'does not serve it: no endpoints available'],
])('it is awaited where %s answers', async (_who, answers, detail) => {
  const { progress } = await servedIn(...answers);
  expect(progress).toMatchObject({
    kind: 'waiting',
    heldUpBy: [{ kind: 'NetworkPolicy', namespace: 'shop', name: 'default.cart' }],
  });
  expect(JSON.stringify(progress)).toContain(detail);
});

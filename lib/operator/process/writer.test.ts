import { expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { refs } from '../reconcile/refs.ts';
import { createWriter } from './writer.ts';

function aWriter() {
  const clock = instantClock();
  const kube = createStore({
    name: 't',
    source: 'sandbox',
    clock,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'calico-system' } }],
  });
  const writes: string[] = [];
  kube.onChange((change) => writes.push(change.type));
  return { kube, writes, write: createWriter({ kube, clock, signal: new AbortController().signal, stepMs: 0 }) };
}

const agents = (spec: Record<string, unknown> = {}, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', namespace: 'calico-system' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' }, annotations },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
  },
});

test('an object that is as wanted is not written', async () => {
  const { writes, write } = aWriter();
  await write.ensure(resources.daemonSets, agents(), 'whole');
  await write.ensure(resources.daemonSets, agents(), 'whole');
  expect(writes).toEqual(['added']);
});

test('a field that is no longer wanted goes', async () => {
  const { kube, write } = aWriter();
  await write.ensure(resources.daemonSets, agents({ dnsConfig: { nameservers: ['1.1.1.1'] } }), 'whole');
  await write.ensure(resources.daemonSets, agents(), 'whole');
  expect(memberAt(await kube.get(refs.calicoNode), 'spec', 'template', 'spec', 'dnsConfig')).toBeUndefined();
});

test('members that the server puts back are tried once, and then known as its own', async () => {
  const { kube, writes, write } = aWriter();
  await write.ensure(resources.daemonSets, agents(), 'whole');
  const answering = kube.replace.bind(kube);
  // A server that fills in a default of its own, whatever it is sent.
  kube.replace = (resource, object, options) =>
    answering(resource, { ...object, spec: { ...(object.spec as object), minReadySeconds: 0 } }, options);
  await kube.patch(refs.calicoNode, { type: 'merge', body: { spec: { minReadySeconds: 0 } } });
  const before = writes.length;
  for (const _ of [1, 2, 3]) await write.ensure(resources.daemonSets, agents(), 'whole');
  expect(writes.length - before).toBeLessThanOrEqual(1);
});

test('kubectl rollout restart is not undone', async () => {
  const { kube, write } = aWriter();
  await write.ensure(resources.daemonSets, agents({}, { hash: '1' }), 'whole');
  const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' };
  await kube.patch(refs.calicoNode, {
    type: 'merge',
    body: { spec: { template: { metadata: { annotations: restartedAt } } } },
  });
  await write.ensure(resources.daemonSets, agents({}, { hash: '2' }), 'whole');
  expect(memberAt(await kube.get(refs.calicoNode), 'spec', 'template', 'metadata', 'annotations')).toEqual({
    hash: '2',
    ...restartedAt,
  });
});

test('labels of others stay; an owner that is gone is replaced', async () => {
  const { kube, write } = aWriter();
  const owner = (uid: string) => ({ apiVersion: 'operator.tigera.io/v1', kind: 'Installation', name: 'default', uid });
  const owned = (uid: string): KubeObject => ({
    ...agents(),
    metadata: { ...agents().metadata, ownerReferences: [owner(uid)] },
  });
  await kube.create(resources.daemonSets, {
    ...owned('old'),
    metadata: { ...owned('old').metadata, labels: { theirs: 'x' } },
  });
  await write.ensure(resources.daemonSets, owned('new'), 'whole');
  const found = await kube.get(refs.calicoNode);
  expect([found?.metadata.labels, found?.metadata.ownerReferences]).toEqual([{ theirs: 'x' }, [owner('new')]]);
});

test('a merge that changes nothing is not sent; a guarded one meets a newer object as a conflict', async () => {
  const { kube, writes, write } = aWriter();
  const live = await kube.create(resources.daemonSets, agents());
  await write.merge(refs.calicoNode, live, { spec: { selector: { matchLabels: { a: 'b' } }, minReadySeconds: null } });
  expect(writes).toEqual(['added']);
  await kube.patch(refs.calicoNode, { type: 'merge', body: { metadata: { labels: { a: 'b' } } } });
  await expect(
    write.merge(refs.calicoNode, live, { spec: { minReadySeconds: 5 } }, { guarded: true }),
  ).rejects.toMatchObject({ code: 'conflict' });
});

import { afterEach, expect, test } from 'vitest';
import { names, resources } from '#lib/spec/index.ts';
import { openTestCluster, type TestCluster } from '../test-cluster.ts';
import { replicaSets } from './replica-set.ts';

let cluster: TestCluster;
afterEach(() => cluster?.close());

const operator = {
  resource: resources.deployments,
  namespace: names.operatorNamespace,
  name: names.operatorDeployment,
};
const controllers = {
  resource: resources.deployments,
  namespace: names.calicoNamespace,
  name: names.kubeControllersDeployment,
};
const restart = (value: string) => ({
  type: 'merge' as const,
  body: { spec: { template: { metadata: { annotations: { [names.endpointHashAnnotation]: value } } } } },
});

test('an annotation on the pod template restarts a Deployment', async () => {
  cluster = await openTestCluster();
  const before = await cluster.list(resources.pods, `name=${names.operatorDeployment}`);
  await cluster.kube.patch(operator, restart('a'));
  await cluster.clock.sleep(20_000);
  const after = await cluster.list(resources.pods, `name=${names.operatorDeployment}`);
  expect(after).toHaveLength(1);
  expect(after[0]?.metadata.name).not.toBe(before[0]?.metadata.name);
  expect(await cluster.kube.get(operator)).toMatchObject({
    metadata: { generation: 2, annotations: { 'deployment.kubernetes.io/revision': '2' } },
    status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
  });
});

/** Recorded in endpoint-configmap-3.31.4.jsonl, t=44.06 to 47.55. */
test('Recreate: the old pod goes, availability is lost and comes back, in the words of the recording', async () => {
  cluster = await openTestCluster();
  await cluster.kube.patch(controllers, restart('a'));
  await cluster.clock.sleep(20_000);
  const states = cluster.writes
    .filter(({ object }) => object.kind === 'Deployment' && object.metadata.name === controllers.name)
    .map(({ object }) => object.status as { conditions: { type: string; status: string; reason: string }[] })
    .map(({ conditions }) =>
      conditions
        .map(({ type, status, reason }) => `${type}=${status} ${reason}`)
        .sort()
        .join(', '),
    );
  expect(states.filter((each, index) => each !== states[index - 1])).toEqual([
    'Available=True MinimumReplicasAvailable, Progressing=True NewReplicaSetAvailable',
    'Available=True MinimumReplicasAvailable, Progressing=True NewReplicaSetCreated',
    'Available=False MinimumReplicasUnavailable, Progressing=True NewReplicaSetCreated',
    'Available=False MinimumReplicasUnavailable, Progressing=True ReplicaSetUpdated',
    'Available=True MinimumReplicasAvailable, Progressing=True NewReplicaSetAvailable',
  ]);
});

test('going back to an earlier template makes its ReplicaSet the newest revision again', async () => {
  cluster = await openTestCluster();
  for (const value of ['a', 'b', 'a']) {
    await cluster.kube.patch(operator, restart(value));
    await cluster.clock.sleep(20_000);
  }
  const own = (await cluster.list(replicaSets)).filter(({ metadata }) => metadata.namespace === operator.namespace);
  const revisions = own.map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision']).sort();
  expect(revisions).toEqual(['1', '3', '4']);
});

test('more replicas are spread over the nodes, fewer leave the oldest', async () => {
  cluster = await openTestCluster();
  const catalogue = { resource: resources.deployments, namespace: 'shop', name: 'catalogue' };
  await cluster.kube.patch(catalogue, { type: 'merge', body: { spec: { replicas: 5 } } });
  await cluster.clock.sleep(20_000);
  const pods = await cluster.list(resources.pods, 'app=catalogue');
  expect(new Set(pods.map(({ spec }) => (spec as { nodeName: string }).nodeName)).size).toBe(5);
  expect(new Set(pods.map(({ status }) => (status as { podIP: string }).podIP)).size).toBe(5);
  await cluster.kube.patch(catalogue, { type: 'merge', body: { spec: { replicas: 2 } } });
  await cluster.clock.sleep(20_000);
  expect(await cluster.list(resources.pods, 'app=catalogue')).toHaveLength(2);
});

test('a Deployment that is deleted takes its ReplicaSets and pods along', async () => {
  cluster = await openTestCluster();
  await cluster.kube.delete({ resource: resources.deployments, namespace: 'shop', name: 'catalogue' });
  await cluster.clock.sleep(20_000);
  expect(await cluster.list(resources.pods, 'app=catalogue')).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalicoCluster, startCalicoCluster } from '#e2e/cluster/testing/calico-cluster.ts';
import { contentsOf } from '#e2e/cluster/testing/contents.ts';
import { holdNode, letNodeGo } from '#e2e/cluster/testing/hold-node.ts';
import { newestRun } from '#e2e/cluster/testing/journal.ts';
import { grant, printedBy, rolesFor } from '#e2e/cluster/testing/printed-roles.ts';
import { readyAnswers } from '#e2e/cluster/testing/ready-answers.ts';
import { mustSignalbox, type Running, signalbox, startSignalbox } from '#e2e/cluster/testing/signalbox-process.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { connect, isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';

/** The effect on a run of an account with only some of the rights, authorized by a real API server. */

const journalsOf = { resource: resources.configMaps, namespace: names.systemNamespace };

describe('somebody who may write ConfigMaps in kube-system, and nothing else', () => {
  let cluster: CalicoCluster;
  let hostile: Awaited<ReturnType<typeof connect>>;

  beforeAll(async () => {
    cluster = await startCalicoCluster({ nodes: 2 });
    await grant(cluster.plane, 'stranger', [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'configmaps', namespace: names.systemNamespace },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
      },
    ]);
    hostile = await connect({ kubeconfig: cluster.plane.kubeconfigFor('stranger') });
  });

  afterAll(async () => {
    await hostile?.close();
    await cluster?.stop();
  });

  test('cannot pause, stop, turn back, replace or delete a run that is under way, and not keep it from being undone', async () => {
    await holdNode(cluster.plane, 'worker-1');
    const apply = startSignalbox(cluster.workplace, ['apply', ...readyAnswers(), '--yes', '-o', 'json']);
    await inItsRollout(apply);
    const { journal } = await newestRun(cluster.kube);
    const name = `signalbox-run-${journal.run}`;

    const forged = '20991231-2359-ffff';
    const done: string[] = [];
    for (const attack of [
      ...['stop', 'undo', 'pause'].map((action) => () => ask(hostile, name, action)),
      () => forge(hostile, name, journal.run, { ...journal, state: { kind: 'done' } }),
      () => ask(hostile, name, 'stop'),
      () =>
        forge(hostile, `signalbox-run-${forged}`, forged, { ...journal, run: forged, startedAt: '2099-12-31T23:59Z' }),
    ])
      done.push(await attempt(attack));
    // The account may write there; the test below examines its writes.
    expect(done.at(-1)).toBe('done');
    await letNodeGo(cluster.plane, 'worker-1');
    expect(await apply.ended).toMatchObject({ code: 0, err: expect.stringContaining('is done') });

    expect(await signalbox(cluster.workplace, ['undo', journal.run, '--yes'])).toMatchObject({ code: 0 });
  });
});

describe('somebody with a part of what `signalbox rbac` prints', () => {
  let cluster: CalicoCluster;
  let printed: readonly KubeObject[];

  beforeAll(async () => {
    cluster = await startCalicoCluster({ nodes: 1 });
    printed = await printedBy(cluster.workplace, 'enable');
    const namespaces = printed.filter(({ kind }) => kind === 'Namespace');
    await grant(cluster.plane, 'stranger', [...namespaces, ...rolesFor(printed, 'read')]);
    await grant(cluster.plane, 'applicant', rolesFor(printed, 'read', 'write'));
  });

  afterAll(async () => {
    await cluster?.stop();
  });

  test('who may only read sees the cluster, writes nothing, looks into no pod, and reads no Secret', async () => {
    const reader = cluster.workplaceOf('reader', cluster.plane.kubeconfigFor('stranger'));
    const before = await contentsOf(cluster.kube);
    const inspected = await mustSignalbox(reader, ['inspect', '-o', 'json']);
    const { nodes, installation } = JSON.parse(inspected.out) as { nodes: unknown[]; installation: { method: string } };
    expect(nodes).toHaveLength(1);
    expect(installation.method).toBe('operator');
    const checked = await signalbox(reader, ['check', ...readyAnswers(), '-o', 'json']);
    expect(checked.code).toBe(3);
    expect(await signalbox(reader, ['apply', ...readyAnswers(), '--yes'])).toMatchObject({ code: 3 });

    const kube = await connect({ kubeconfig: reader.kubeconfig });
    try {
      const { resources: served } = await kube.discover();
      expect(served.length).toBeGreaterThan(50);
      const writes = served.flatMap(({ group, plural, verbs }) =>
        verbs.filter((verb) => changing.has(verb)).map((verb) => ({ verb, group, resource: plural })),
      );
      const granted = (await kube.allowed([...writes, ...looks])).filter(({ allowed }) => allowed);
      expect(granted.map(({ verb, resource, subresource }) => `${verb} ${resource}/${subresource ?? ''}`)).toEqual(
        everybodys,
      );
      for (const namespace of [
        names.operatorNamespace,
        names.calicoNamespace,
        names.systemNamespace,
        names.journalNamespace,
      ]) {
        await expect(listed(kube, resources.secrets, namespace)).rejects.toMatchObject({ code: 'forbidden' });
        await expect(ask(kube, 'signalbox-run-x', 'stop', namespace)).rejects.toMatchObject({ code: 'forbidden' });
      }
    } finally {
      await kube.close();
    }
    expectSameCluster(before, await contentsOf(cluster.kube));
  });

  test('without the right to look into pods nodes are not verified, and the proxy stays on', async () => {
    const blind = cluster.workplaceOf('blind', cluster.plane.kubeconfigFor('applicant'));
    const checked = await signalbox(blind, ['check', ...readyAnswers(), '-o', 'json']);
    const { verdict, findings } = JSON.parse(checked.out) as {
      verdict: string;
      findings: { id: string; status: string; severity: string }[];
    };
    expect(verdict).toBe('needs-answers');
    expect(findings.find(({ id }) => id === 'permissions.plan')).toMatchObject({ status: 'fail', severity: 'warning' });

    const known = ['--acknowledge', 'permissions.plan=nobody looks into pods here'];
    const ended = await signalbox(blind, ['apply', ...readyAnswers(), ...known, '--yes']);
    expect(ended).toMatchObject({ code: 4 });
    const { journal } = await newestRun(cluster.kube);
    expect(journal.state).toMatchObject({ kind: 'paused', code: 'unknown', id: 'bpf.active' });
    expect(await cluster.plane.api.get('/apis/apps/v1/namespaces/kube-system/daemonsets/kube-proxy')).toMatchObject({
      status: { desiredNumberScheduled: 1 },
    });
  });
});

const changing: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Each of these rights on pods gives access to their contents. */
const looks = ['exec', 'attach', 'portforward', 'proxy', 'log', 'ephemeralcontainers'].flatMap((subresource) =>
  ['get', 'create'].map((verb) => ({ verb, group: '', resource: 'pods', subresource })),
);

/** Kubernetes lets every user ask for their own permissions. */
const everybodys = [
  'create selfsubjectreviews/',
  'create selfsubjectaccessreviews/',
  'create selfsubjectrulesreviews/',
];

async function inItsRollout(running: Running): Promise<void> {
  await running.event(
    'the rollout that the held node holds up',
    ({ event, data }) => event === 'operation' && data.state === 'waiting' && data.heldUpBy.length > 0,
  );
}

function ask(kube: Kube, name: string, action: string, namespace: string = names.systemNamespace): Promise<KubeObject> {
  const request = { id: `${action}-${Date.now()}`, action, by: 'somebody', at: new Date().toISOString() };
  return kube.patch(
    { ...journalsOf, namespace, name },
    { type: 'merge', body: { metadata: { annotations: { [names.requestAnnotation]: JSON.stringify(request) } } } },
  );
}

/** Writes a journal into the namespace of earlier versions, and replaces an existing one. */
async function forge(kube: Kube, name: string, run: string, journal: unknown): Promise<void> {
  await kube.delete({ ...journalsOf, name }).catch(() => undefined);
  await kube.create(resources.configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: names.systemNamespace, labels: { [names.runLabel]: run } },
    data: { 'journal.json': JSON.stringify(journal) },
  });
}

async function attempt(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (isKubeError(error)) return error.code;
    throw error;
  }
}

async function listed(kube: Kube, resource: Resource, namespace: string): Promise<number> {
  let count = 0;
  for await (const page of kube.list(resource, { namespace })) count += page.items.length;
  return count;
}

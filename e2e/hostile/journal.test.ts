import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { clusterSlug } from '#lib/console/host/index.ts';
import { connect } from '#lib/kube/index.ts';
import { type Plan, planHash } from '#lib/plan/index.ts';
import { ownIdentity } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { type CalicoCluster, startCalicoCluster } from '../cluster/testing/calico-cluster.ts';
import { readyAnswers } from '../cluster/testing/ready-answers.ts';
import { mustSignalbox, signalbox } from '../cluster/testing/signalbox-process.ts';
import { runningConsole } from '../console/testing/console-process.ts';

/**
 * The attacker is another user of the cluster, who may only write ConfigMaps in the journal namespace. There they write a complete and consistent run of
 * their own in the name of the administrator's installation, which the administrator then tries to resume.
 */
let cluster: CalicoCluster;
let honest: Plan;
let install: string;
let tried = 0;

const attacker = 'applicant';
const run = '20260101-0000-f00d';
const object = `signalbox-run-${run}`;
const binding = { resource: resources.clusterRoleBindings, name: names.operatorDeployment };

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 1 });
  const { api } = cluster.plane;
  await api.apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: names.journalNamespace, labels: { [names.managedByLabel]: names.fieldManager } },
  });
  await api.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { namespace: names.journalNamespace, name: 'writes-config-maps' },
    rules: [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'] },
    ],
  });
  await api.apply({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { namespace: names.journalNamespace, name: 'writes-config-maps' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writes-config-maps' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: attacker }],
  });
  const state = join(cluster.workplace.stateHome, 'signalbox');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  // No secret: the Lease and every journal contain it.
  install = (await ownIdentity(state)).install;
  await mustSignalbox(cluster.workplace, ['plan', ...readyAnswers(), '--out', 'plan.json', '-q']);
  honest = JSON.parse(readFileSync(join(cluster.workplace.cwd, 'plan.json'), 'utf8')) as Plan;
});

afterAll(async () => {
  console.log(`hostile journals: ${tried} tried`);
  await cluster?.stop();
});

/** Adds a first act that makes the attacker cluster-admin, by a binding under a name that an installation may write. */
function withBinding(plan: Plan): Plan {
  const [first] = plan.operations;
  if (!first) throw new Error('the plan has no operation');
  const body = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: binding.name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: attacker }],
  };
  const evil: Plan['operations'][number] = {
    ...first,
    id: 'operator.apply',
    status: 'needed',
    act: { kind: 'apply', target: binding, body, force: true },
    done: { kind: 'exists', target: binding },
    undo: null,
    reads: [],
  };
  return numbered({ ...plan, operations: [evil, ...plan.operations] });
}

/** Uses only writes of an *enable*, but with the attacker's server as the API endpoint of every node, and with the matching mark of the operator. */
function withEndpoint(plan: Plan): Plan {
  const { host = '', port = '' } = plan.choices.endpoint ?? {};
  const markOf = (name: string) => createHash('sha256').update(`${name}\n${port}`).digest('hex').slice(0, 16);
  const text = JSON.stringify(plan).replaceAll(host, 'evil.example').replaceAll(markOf(host), markOf('evil.example'));
  return numbered(JSON.parse(text) as Plan);
}

function numbered(plan: Plan): Plan {
  const operations = plan.operations.map((operation, index) => ({ ...operation, seq: index + 1 }));
  return { ...plan, operations, hash: planHash({ ...plan, operations }) };
}

/** Writes the forged run with the attacker's credentials. */
async function plant(plan: Plan): Promise<void> {
  tried++;
  const startedBy = `${install}/1@@`;
  const journal = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run,
    goal: plan.goal,
    cluster: plan.cluster,
    planHash: plan.hash,
    startedAt: '2026-01-01T00:00:00.000Z',
    startedBy,
    state: { kind: 'running', direction: 'forward' },
    accepted: [],
    entries: [{ what: 'resumed', at: '2026-01-01T00:00:00.000Z', by: startedBy }],
    seal: { install: install, mac: '0'.repeat(64) },
  };
  const theirs = await connect({ kubeconfig: cluster.plane.kubeconfigFor(attacker) });
  try {
    await theirs
      .delete({ resource: resources.configMaps, namespace: names.journalNamespace, name: object })
      .catch(() => undefined);
    await theirs.create(resources.configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: names.journalNamespace, name: object, labels: { [names.runLabel]: run } },
      data: { 'journal.json': JSON.stringify(journal) },
      binaryData: { 'plan.json.gz': gzipSync(JSON.stringify(plan)).toString('base64') },
    });
    await expect(
      theirs.apply(binding.resource, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'x' },
      }),
    ).rejects.toThrow();
  } finally {
    await theirs.close();
  }
}

async function expectNothingDone(): Promise<void> {
  const found = await cluster.kube.get(binding);
  expect(JSON.stringify(found?.subjects ?? [])).not.toContain(attacker);
  const endpoint = { resource: resources.configMaps, namespace: 'tigera-operator', name: names.endpointConfigMap };
  expect(await cluster.kube.get(endpoint)).toBeNull();
  const installation = await cluster.kube.get({ resource: resources.installations, name: 'default' });
  expect(JSON.stringify(installation?.spec)).not.toContain('BPF');
}

const forgeries = [
  ['a binding to cluster-admin', withBinding],
  ["the attacker's server as endpoint", withEndpoint],
] as const;

test.each(forgeries)('%s: no command carries it out without the cluster’s name', async (_, forged) => {
  await plant(forged(honest));
  const commands = [
    ['resume', run],
    ['undo', run, '--yes'],
    ['resume', run, '--cluster-name', 'another'],
    ['apply', ...readyAnswers(), '--yes'],
    ['apply', 'plan.json', '--yes'],
  ];
  for (const words of commands) {
    const { code, out, err } = await signalbox(cluster.workplace, words);
    expect(code, `${words.join(' ')}:\n${err}\n${out}`).not.toBe(0);
    await expectNothingDone();
  }
});

test.each(forgeries)('%s: a console that starts leaves it alone', async (_, forged) => {
  await plant(forged(honest));
  const { stateHome, kubeconfig } = cluster.workplace;
  const state = join(stateHome, 'signalbox');
  // The state after an interrupted run of this installation on this cluster.
  const clusters = [clusterSlug('kubeconfig', 'signalbox-test')];
  const record = { apiVersion: 'signalbox.dev/v1', kind: 'CarriedRuns', clusters };
  writeFileSync(join(state, 'carried.json'), JSON.stringify(record), { mode: 0o600 });
  const console = await runningConsole(inject('consoleBuild'), stateHome, [], {
    KUBECONFIG: kubeconfig,
    XDG_STATE_HOME: stateHome,
    HOME: stateHome,
  });
  try {
    // The console has read the cluster: its record is empty, because no run of this installation is in progress there.
    const looked = async () => JSON.parse(readFileSync(join(state, 'carried.json'), 'utf8')).clusters.length === 0;
    for (let tries = 0; tries < 300 && !(await looked()); tries++) await passed(100);
    expect(await looked()).toBe(true);
    await passed(2_000);
    await expectNothingDone();
  } finally {
    console.child.kill('SIGTERM');
    await console.ended;
  }
});

test('what is shown of it is what it would do, and none of its words', async () => {
  const lie = 'Nothing of importance';
  const plan = withEndpoint(honest);
  const operations = plan.operations.map((one) => ({ ...one, title: lie, why: lie, diff: lie, command: lie }));
  await plant(numbered({ ...plan, operations }));
  const { code, err } = await signalbox(cluster.workplace, ['resume', run]);
  expect(err).toContain('+  KUBERNETES_SERVICE_HOST: evil.example');
  expect(err).not.toContain(lie);
  expect(code).toBe(2);
  await expectNothingDone();
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { contentsOf } from './testing/contents.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { type Desk, mustSignalbox, signalbox } from './testing/signalbox-process.ts';

/** Somebody who holds what `signalbox rbac` prints, and the same with one rule less. Authorized by a real API server. */
let cluster: CalicoCluster;
let applicant: Desk;

beforeAll(async () => {
  cluster = await startCalicoCluster({ like: 'signalbox', nodes: 1 });
  applicant = cluster.deskOf('applicant', cluster.plane.kubeconfigFor('applicant'));
  await bind(await rolesPrinted());
});

afterAll(async () => {
  await cluster?.stop();
});

test('without one rule: check names exactly that rule, apply is blocked, and nothing was changed', async () => {
  const roles = await rolesPrinted();
  const restricted = roles.find(({ metadata }) => metadata.namespace === 'kube-system');
  if (!restricted) throw new Error('there is no Role for kube-system');
  const isProxyRule = (rule: Rule) => rule.resources.includes('daemonsets') && rule.verbs.includes('patch');
  const rules = restricted.rules as Rule[];
  expect(rules.filter(isProxyRule)).toHaveLength(1);
  await cluster.plane.api.apply(asPlane({ ...restricted, rules: rules.filter((rule) => !isProxyRule(rule)) }));
  const before = await contentsOf(cluster.kube);

  const checked = await signalbox(applicant, ['check', ...readyAnswers(), '-o', 'json']);
  expect(checked.code).toBe(3);
  const { findings } = JSON.parse(checked.out) as { findings: { id: string; status: string; subjects: Subject[] }[] };
  const refused = findings.filter(({ status }) => status === 'fail').find(({ id }) => id === 'permissions.plan');
  expect(refused?.subjects.map(({ name }) => name)).toEqual(['patch daemonsets.apps kube-proxy in kube-system']);

  expect(await signalbox(applicant, ['apply', ...readyAnswers(), '--yes'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('patch daemonsets.apps kube-proxy in kube-system'),
  });
  expectSameCluster(before, await contentsOf(cluster.kube));
  await cluster.plane.api.apply(asPlane(restricted));
});

test('what `signalbox rbac` prints is enough to apply the plan and to take it back', async () => {
  await mustSignalbox(applicant, ['apply', ...readyAnswers(), '--yes']);
  await mustSignalbox(applicant, ['undo', '--yes']);
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

type Rule = { resources: string[]; verbs: string[] };
type Subject = { name: string };

async function rolesPrinted(): Promise<KubeObject[]> {
  const { out } = await mustSignalbox(cluster.desk, ['rbac', '--goal', 'enable']);
  const roles = parseAllDocuments(out).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);
  // The aggregated API is not installed on test clusters: its namespace is not there.
  return roles.filter(({ metadata }) => metadata.namespace !== 'calico-apiserver');
}

async function bind(roles: readonly KubeObject[]): Promise<void> {
  for (const role of roles) {
    await cluster.plane.api.apply(asPlane(role));
    await cluster.plane.api.apply(
      asPlane({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: `${role.kind}Binding`,
        metadata: { ...role.metadata, name: 'applicant' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: role.metadata.name },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'applicant' }],
      }),
    );
  }
}

/** The plane's own client wants a name. */
function asPlane(object: KubeObject) {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { name = '', namespace } = metadata;
  return { ...rest, apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) } };
}

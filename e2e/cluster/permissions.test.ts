import { afterAll, beforeAll, expect, test } from 'vitest';
import { unexpectedDials } from '#e2e/controlplane/index.ts';
import { expectSameCluster } from '#e2e/journey/index.ts';
import { type CalicoCluster, startCalicoCluster } from './testing/calico-cluster.ts';
import { contentsOf } from './testing/contents.ts';
import { grant, printedBy, rolesFor } from './testing/printed-roles.ts';
import { readyAnswers } from './testing/ready-answers.ts';
import { mustSignalbox, signalbox, type Workplace } from './testing/signalbox-process.ts';

/** A user with the rights that `signalbox rbac` prints, and with one rule less. A real API server authorizes the requests. */
let cluster: CalicoCluster;
let applicant: Workplace;

beforeAll(async () => {
  cluster = await startCalicoCluster({ nodes: 1 });
  applicant = cluster.workplaceOf('applicant', cluster.plane.kubeconfigFor('applicant'));
  await grant(cluster.plane, 'applicant', await printedBy(cluster.workplace, 'enable'));
});

afterAll(async () => {
  await cluster?.stop();
});

test('without one rule: check names exactly that rule, apply is blocked, and nothing was changed', async () => {
  const writing = rolesFor(await printedBy(cluster.workplace, 'enable'), 'write');
  const restricted = writing.find(({ metadata }) => metadata.namespace === 'kube-system');
  if (!restricted) throw new Error('there is no Role to write in kube-system');
  const isProxyRule = (rule: Rule) => rule.resources.includes('daemonsets') && rule.verbs.includes('patch');
  const rules = restricted.rules as Rule[];
  expect(rules.filter(isProxyRule)).toHaveLength(1);
  await grant(cluster.plane, 'applicant', [{ ...restricted, rules: rules.filter((rule) => !isProxyRule(rule)) }]);
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
  await grant(cluster.plane, 'applicant', [restricted]);
});

test('what `signalbox rbac` prints is enough to apply the plan and to undo it', async () => {
  await mustSignalbox(applicant, ['apply', ...readyAnswers(), '--yes']);
  await mustSignalbox(applicant, ['undo', '--yes']);
});

test('nothing tried to leave the plane', () => {
  expect(unexpectedDials(cluster.plane.egressLog())).toEqual([]);
});

type Rule = { resources: string[]; verbs: string[] };
type Subject = { name: string };

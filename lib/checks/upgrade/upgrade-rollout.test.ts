import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { findUpgrading } from '../testing/an-upgrade.ts';
import { subjectLines } from '../testing/find.ts';

const id = 'upgrade.rollout';
const stuck = (by: 'no-node' | 'paused' | 'on-delete', kind: string, name: string, detail: string) => ({
  subject: { kind, namespace: 'kube-system', name, detail },
  by,
});
const nowhere = stuck('no-node', 'Deployment', 'calico-typha', 'no node takes its pod (3 nodes: cordoned)');

test('a workload that keeps its pods is told with why, and with the line that looks at it or lets it go on', () => {
  const paused = stuck('paused', 'Deployment', 'calico-kube-controllers', 'its rollout is paused');
  const onDelete = stuck('on-delete', 'DaemonSet', 'calico-node', 'OnDelete');
  const finding = findUpgrading(id, { facts: { upgrade: { stuck: [nowhere, paused, onDelete] } } });
  expect(finding).toMatchObject({ status: 'fail', severity: 'warning' });
  expect(subjectLines(finding)[0]).toBe(
    'Deployment kube-system/calico-typha: no node takes its pod (3 nodes: cordoned)',
  );
  expect(finding.remedy.command?.split('\n')).toEqual([
    'kubectl describe -n kube-system deployment calico-typha',
    `kubectl -n kube-system patch deployment calico-kube-controllers --type merge -p '{"spec":{"paused":null}}'`,
    `kubectl -n kube-system patch daemonset calico-node --type merge -p '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'`,
  ]);
  expect(finding.remedy.steps).toHaveLength(4);
});

test('a workload that the operator must not touch is told, with the line that gives it back', () => {
  const ignored = {
    subject: { kind: 'DaemonSet', namespace: 'calico-system', name: 'calico-node', detail: 'annotation' },
    by: 'ignored' as const,
  };
  expect(findUpgrading(id, { facts: { upgrade: { stuck: [ignored] } } }).remedy).toMatchObject({
    steps: [expect.stringContaining('set that in the Installation first'), 'Check again.'],
    command: 'kubectl annotate -n calico-system daemonset calico-node unsupported.operator.tigera.io/ignore-',
  });
});

test('it passes where nothing is stuck; unread is unknown; without Calico it does not apply', () => {
  expect(findUpgrading(id)).toMatchObject({
    status: 'pass',
    because: expect.stringContaining('PodDisruptionBudgets do not hold an upgrade up'),
  });
  for (const key of ['rollouts', 'nodes'] as const)
    expect(findUpgrading(id, { facts: uncover(aFacts(), key) }).status).toBe('unknown');
  expect(findUpgrading(id, { facts: { installation: { method: 'none' } } }).status).toBe('skipped');
});

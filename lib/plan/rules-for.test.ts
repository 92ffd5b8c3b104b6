import { expect, test } from 'vitest';
import { withAccessOfPlan } from './access-of-plan.ts';
import { rulesFor, rulesOf } from './rules-for.ts';
import { aCluster, aPlan, choose } from './testing/a-cluster.ts';

test('the rules of a plan are among those of its journey', () => {
  const journey = rulesFor('enable').map((rule) => JSON.stringify(Object.entries(rule).sort()));
  for (const rule of rulesOf(aPlan({}, { dsr: true, forgetKubeadmProxy: true, fix: ['operator.dns-deadlock'] })))
    expect(journey).toContain(JSON.stringify(Object.entries(rule).sort()));
});

test.each([
  [{ verb: 'patch', group: 'operator.tigera.io', resource: 'installations', name: 'default' }],
  [{ verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'calico-system' }],
  [{ verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'kube-system' }],
  [{ verb: 'patch', group: 'apps', resource: 'daemonsets', namespace: 'kube-system', name: 'kube-proxy' }],
  [{ verb: 'patch', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system', name: 'signalbox' }],
  [{ verb: 'create', group: '', resource: 'events', namespace: 'default' }],
])('enabling needs %j', (rule) => {
  expect(rulesFor('enable')).toContainEqual(rule);
});

test('no rule is asked twice', () => {
  const rules = rulesFor('enable').map((rule) => JSON.stringify(Object.entries(rule).sort()));
  expect(new Set(rules).size).toBe(rules.length);
});

test('with facts, only one group of FelixConfiguration is asked for', () => {
  const groups = rulesFor('enable', aCluster()).filter(({ resource }) => resource === 'felixconfigurations');
  expect(new Set(groups.map(({ group }) => group))).toEqual(new Set(['crd.projectcalico.org']));
});

test('permissions that only other clusters need are not held against this one', () => {
  const access = rulesFor('enable').map((rule) => ({ ...rule, allowed: false }));
  const narrowed = withAccessOfPlan(aCluster({ resources: { access } }), choose()).resources.access;
  const resources = new Set(narrowed.map(({ resource }) => resource));
  expect(resources).toContain('installations');
  for (const other of ['networks', 'secrets']) expect(resources).not.toContain(other);
  expect(withAccessOfPlan(aCluster({ resources: { access } }), choose({ goal: 'upgrade' })).resources.access).toEqual(
    access,
  );
});

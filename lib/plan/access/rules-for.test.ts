import { expect, test } from 'vitest';
import { type Choices, journalNamespaces } from '#lib/spec/index.ts';
import type { KindOfUpgrade } from '../journeys.ts';
import { aCluster, aPlan, choose } from '../testing/a-cluster.ts';
import { withAccessOfPlan } from './access-of-plan.ts';
import { rulesFor, rulesOf, rulesToGrant } from './rules-for.ts';

test('the rules of a plan are among those of its journey', () => {
  const journey = rulesFor('enable').map((rule) => JSON.stringify(Object.entries(rule).sort()));
  const plan = aPlan({}, { dsr: true, forgetKubeadmProxy: true, fix: ['operator.dns-deadlock'] });
  for (const rule of rulesOf(plan, { namespaces: journalNamespaces, journalNamespace: 'missing' }))
    expect(journey).toContain(JSON.stringify(Object.entries(rule).sort()));
});

test.each([
  [{ verb: 'patch', group: 'operator.tigera.io', resource: 'installations', name: 'default' }],
  [{ verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'calico-system' }],
  [{ verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: 'kube-system' }],
  [{ verb: 'patch', group: 'apps', resource: 'daemonsets', namespace: 'kube-system', name: 'kube-proxy' }],
  [{ verb: 'patch', group: 'coordination.k8s.io', resource: 'leases', namespace: 'signalbox', name: 'signalbox' }],
  [{ verb: 'create', group: '', resource: 'events', namespace: 'default' }],
])('enabling needs %j', (rule) => {
  expect(rulesFor('enable')).toContainEqual(rule);
});

test('no rule is asked twice', () => {
  const rules = rulesFor('enable').map((rule) => JSON.stringify(Object.entries(rule).sort()));
  expect(new Set(rules).size).toBe(rules.length);
});

test('with facts, only one group of FelixConfiguration is asked for', () => {
  const groups = rulesToGrant('enable', aCluster()).filter(({ resource }) => resource === 'felixconfigurations');
  expect(new Set(groups.map(({ group }) => group))).toEqual(new Set(['crd.projectcalico.org']));
});

test('permissions that only other clusters need are not held against this one', () => {
  const access = rulesFor('enable').map((rule) => ({ ...rule, allowed: false }));
  const narrowed = withAccessOfPlan(aCluster({ resources: { access } }), choose()).resources.access;
  const kinds = new Set(narrowed.map(({ resource }) => resource));
  expect(kinds).toContain('installations');
  for (const other of ['networks', 'secrets']) expect(kinds).not.toContain(other);
});

test('an upgrade asks for what its own way needs, and for what follows it only where somebody wants that; so before its release is chosen', () => {
  const access = rulesFor('upgrade').map((rule) => ({ ...rule, allowed: false }));
  const required = (choices: Partial<Choices> = {}, method?: 'manifest-kdd' | 'helm') => {
    const facts = aCluster({ resources: { access }, ...(method && { installation: { method } }) });
    const { access: own } = withAccessOfPlan(facts, choose({ goal: 'upgrade', ...choices })).resources;
    return new Set(own.map(({ verb, resource }) => `${verb} ${resource}`));
  };
  expect(required()).not.toContain('patch nodes');
  expect(required({ afterwards: ['host-endpoints'] })).toContain('patch nodes');
  expect(required()).not.toContain('delete globalnetworkpolicies');
  expect(required({ afterwards: ['allow-all-upgrade'] })).toContain('delete globalnetworkpolicies');
  expect(required()).not.toContain('get secrets');
  expect(required({}, 'helm')).toContain('get secrets');
  expect(required({}, 'manifest-kdd')).not.toContain('patch installations');
});

test('the Roles of an upgrade leave out the other ways, and what nobody asked for', () => {
  const granted = (kind: KindOfUpgrade) =>
    new Set(rulesToGrant('upgrade', undefined, kind).map(({ verb, resource }) => `${verb} ${resource}`));
  for (const right of ['patch nodes', 'delete globalnetworkpolicies'])
    expect(granted({ afterwards: [] })).not.toContain(right);
  expect(granted({ afterwards: ['host-endpoints'] })).toContain('patch nodes');
  expect(granted({ afterwards: [] })).toContain('create secrets');
  expect(granted({ method: 'operator', afterwards: [] })).not.toContain('create secrets');
});

const making = { verb: 'create', group: '', resource: 'namespaces' };

test('the right to make namespaces is needed only where that of the journals is missing', () => {
  const plan = aPlan();
  expect(rulesOf(plan, { namespaces: journalNamespaces, journalNamespace: 'missing' })).toContainEqual(making);
  expect(rulesOf(plan, { namespaces: journalNamespaces, journalNamespace: 'there' })).not.toContainEqual(making);
  expect(rulesToGrant('enable')).not.toContainEqual(making);
});

test('where somebody chose another namespace for journals, rights are asked for there and nowhere else', () => {
  const required = rulesFor('enable', ['kube-system']);
  expect(required.filter(({ namespace }) => namespace === 'signalbox')).toEqual([]);
  expect(required).not.toContainEqual(making);
  expect(required).toContainEqual({
    verb: 'create',
    group: 'coordination.k8s.io',
    resource: 'leases',
    namespace: 'kube-system',
  });
});

test('nobody who only runs plans needs the rights to forget runs', () => {
  const forgets = (rules: ReturnType<typeof rulesFor>) =>
    rules.filter(({ verb, namespace }) => verb === 'delete' && namespace === 'signalbox');
  expect(forgets(rulesFor('enable'))).toEqual([]);
  expect(forgets(rulesToGrant('enable'))).toHaveLength(2);
});

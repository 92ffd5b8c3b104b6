import { expect, test } from 'vitest';
import { withAccessOfPlan } from './access-of-plan.ts';
import { clusterRole } from './cluster-role.ts';
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

test('no rule is asked twice, and none with a star', () => {
  const rules = rulesFor('enable').map((rule) => JSON.stringify(Object.entries(rule).sort()));
  expect(new Set(rules).size).toBe(rules.length);
  expect(JSON.stringify(clusterRole('enable'))).not.toContain('*');
});

test('with facts, only one group of FelixConfiguration is asked for', () => {
  const groups = rulesFor('enable', aCluster()).filter(({ resource }) => resource === 'felixconfigurations');
  expect(new Set(groups.map(({ group }) => group))).toEqual(new Set(['crd.projectcalico.org']));
});

test('the roles grant every rule of the journey, each at the narrowest place it was asked for', () => {
  const roles = clusterRole('enable');
  for (const { verb, group, resource, subresource, namespace, name } of rulesFor('enable')) {
    const granted = roles
      .filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace)
      .some(({ rules }) =>
        rules.some(
          (rule) =>
            rule.verbs.includes(verb) &&
            rule.apiGroups.includes(group) &&
            rule.resources.includes(subresource ? `${resource}/${subresource}` : resource) &&
            (rule.resourceNames === undefined || (name !== undefined && rule.resourceNames.includes(name))),
        ),
      );
    expect(granted, JSON.stringify({ verb, group, resource, subresource, namespace, name })).toBe(true);
  }
  const cluster = roles.find(({ kind }) => kind === 'ClusterRole');
  expect(cluster?.rules.filter(({ resources }) => resources.some((one) => one.includes('/')))).toEqual([]);
  expect(cluster?.rules.filter(({ resources, verbs }) => resources.includes('secrets') && verbs.length > 0)).toEqual(
    [],
  );
});

test('verbs that cannot be limited to a name are not', () => {
  for (const { rules } of clusterRole('enable'))
    for (const { resourceNames, verbs } of rules)
      if (resourceNames) expect(verbs.filter((verb) => ['create', 'list', 'watch'].includes(verb))).toEqual([]);
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

test('no Role for a namespace that most clusters do not have, unless it was seen on this one', () => {
  const namespaces = (facts?: ReturnType<typeof aCluster>) =>
    clusterRole('enable', facts).map(({ metadata }) => metadata.namespace);
  expect(namespaces()).not.toContain('calico-apiserver');
  expect(namespaces(aCluster())).not.toContain('calico-apiserver');
  const object = 'calico-apiserver/Deployment/calico-apiserver';
  const inUse = [{ object, container: 'calico-apiserver', host: '10.96.0.1', port: '443' }];
  expect(namespaces(aCluster({ endpoint: { inUse } }))).toContain('calico-apiserver');
});

import { expect, test } from 'vitest';
import { collectFacts, readingRules } from '#lib/facts/index.ts';
import { createStore } from '#lib/kube/index.ts';
import {
  escalations,
  escalationsOf,
  type MissingRule,
  type RoleKindId,
  resources,
  roleKindOf,
} from '#lib/spec/index.ts';
import { aCluster } from '../testing/a-cluster.ts';
import { roleSets } from './role-sets.ts';
import { rulesFor, rulesToGrant } from './rules-for.ts';

const goals = ['install', 'enable'] as const;
const rolesOf = (goal: (typeof goals)[number], ...ids: RoleKindId[]) =>
  roleSets(goal).flatMap(({ kind, roles }) => (ids.length === 0 || ids.includes(kind.id) ? roles : []));

/** Leaves out namespaces that most clusters do not have. */
const isNeededOnMost = (rule: MissingRule) => !['calico-apiserver', 'tkg-system-public'].includes(rule.namespace ?? '');

test.each(goals)('the Roles for %s grant every rule, each at the narrowest place it was asked for', (goal) => {
  const roles = rolesOf(goal);
  for (const rule of [...readingRules(), ...rulesToGrant(goal)].filter(isNeededOnMost)) {
    const { verb, group, resource, subresource, namespace, name } = rule;
    const granted = roles
      .filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace)
      .some(({ rules }) =>
        rules.some(
          (one) =>
            one.verbs.includes(verb) &&
            one.apiGroups.includes(group) &&
            one.resources.includes(subresource ? `${resource}/${subresource}` : resource) &&
            (one.resourceNames === undefined || (name !== undefined && one.resourceNames.includes(name))),
        ),
      );
    expect(granted, JSON.stringify(rule)).toBe(true);
  }
});

test.each(goals)('the Roles for %s grant nothing that nobody asked for', (goal) => {
  const needed = new Set(
    [...readingRules(), ...rulesToGrant(goal)].map(({ verb, group, resource, subresource }) =>
      [verb, group, subresource ? `${resource}/${subresource}` : resource].join(' '),
    ),
  );
  for (const { rules } of rolesOf(goal))
    for (const { verbs, apiGroups, resources } of rules)
      for (const verb of verbs)
        for (const group of apiGroups)
          for (const resource of resources) expect(needed).toContain([verb, group, resource].join(' '));
});

test.each(goals)('reading for %s changes nothing, looks into no pod, and reads no Secret', (goal) => {
  for (const { rules } of rolesOf(goal, 'read'))
    for (const { verbs, resources, apiGroups } of rules) {
      expect(verbs.filter((verb) => !['get', 'list', 'watch'].includes(verb))).toEqual([]);
      expect(resources.filter((one) => one.includes('/') || one === 'secrets')).toEqual([]);
      if (resources.includes('*')) expect(apiGroups).not.toContain('');
      expect(apiGroups).not.toContain('*');
    }
});

test.each(goals)('what is always needed for %s neither looks into pods nor touches Secrets by name', (goal) => {
  const resources = rolesOf(goal, 'read', 'write').flatMap(({ rules }) => rules.flatMap((rule) => rule.resources));
  expect(resources.filter((one) => one.includes('/') || one === 'secrets')).toEqual([]);
});

test('rights for an opened step are granted, and no plan waits for them', () => {
  const rules = rolesOf('enable').flatMap(({ metadata: { namespace }, rules: own }) =>
    own.flatMap(({ resources, verbs }) => resources.map((one) => `${verbs.join()} ${one} ${namespace}`)),
  );
  for (const namespace of ['default', 'kube-system', 'tigera-operator', 'calico-system'])
    expect(rules).toContainEqual(expect.stringMatching(new RegExp(`list.* events ${namespace}$`)));
  for (const namespace of ['kube-system', 'tigera-operator', 'calico-system'])
    expect(rules).toContainEqual(expect.stringMatching(new RegExp(`get pods/log ${namespace}$`)));
  const logs = rulesFor('enable').filter(({ subresource }) => subresource === 'log');
  expect(logs.map(({ namespace }) => namespace)).toEqual(['calico-system']);
});

test('no star where eBPF is enabled', () => {
  expect(JSON.stringify(rolesOf('enable'))).not.toContain('*');
});

test.each(goals)('verbs that cannot be limited to a name are not, in the Roles for %s', (goal) => {
  for (const { rules } of rolesOf(goal))
    for (const { resourceNames, verbs } of rules)
      if (resourceNames) expect(verbs.filter((verb) => ['create', 'list', 'watch'].includes(verb))).toEqual([]);
});

/** Verbs that change or delete an object that is there, in all namespaces or without a name. */
test.each(goals)('no Role for %s changes or deletes objects of a kind without naming them, but journals', (goal) => {
  const wide = rolesOf(goal, 'read', 'write', 'proof', 'aws').flatMap(({ metadata, rules }) =>
    rules
      .filter(({ resourceNames, verbs }) => resourceNames === undefined && verbs.some((verb) => changes.has(verb)))
      .map(({ resources }) => `${metadata.namespace ?? '*'} ${resources.join(' ')}`),
  );
  expect(wide).toEqual(['signalbox configmaps']);
});
const changes: ReadonlySet<string> = new Set(['patch', 'update', 'delete', 'deletecollection', 'escalate', 'bind']);

/** Writes that grant no more than they say. A new write is either reported as an escalation or listed here with its reason. */
const harmless: readonly {
  readonly because: string;
  readonly fits: (rule: MissingRule, granted: readonly MissingRule[]) => boolean;
}[] = [
  { because: 'settings of the data plane', fits: ({ resource }) => resource === 'felixconfigurations' },
  { because: 'asks OpenShift for a proxy or none', fits: ({ group }) => group === 'operator.openshift.io' },
  { because: 'turns parts of Calico on, from images that the Installation names', fits: isPart },
  { because: 'an account without rights', fits: ({ resource }) => resource === 'serviceaccounts' },
  { because: 'holds no more than its author, but by escalate', fits: isRole },
  { because: 'what happened, and who carries a run', fits: ({ resource }) => ['events', 'leases'].includes(resource) },
  { because: 'journals: evidence, and no orders', fits: isJournal },
  { because: 'an address whose certificate is verified', fits: isConfiguration },
  { because: 'deletes what it names', fits: ({ verb, name }) => verb === 'delete' && name !== undefined },
  { because: 'looks', fits: ({ resource, subresource }) => resource === 'pods' && subresource !== 'exec' },
  {
    because: 'what may be listed is read already',
    fits: ({ verb, resource, namespace }, granted) =>
      verb === 'get' &&
      resource === 'secrets' &&
      granted.some(
        (one) =>
          one.verb === 'list' &&
          one.resource === 'secrets' &&
          one.name === undefined &&
          (one.namespace === undefined || one.namespace === namespace),
      ),
  },
];

function isPart({ group, resource }: MissingRule): boolean {
  return group === 'operator.tigera.io' && ['apiservers', 'goldmanes', 'whiskers'].includes(resource);
}

function isRole({ resource, verb }: MissingRule): boolean {
  return resource === 'clusterroles' && ['create', 'patch'].includes(verb);
}

function isJournal({ resource, namespace }: MissingRule): boolean {
  return resource === 'configmaps' && namespace === 'signalbox';
}

function isConfiguration({ resource, namespace }: MissingRule): boolean {
  return resource === 'configmaps' && namespace === 'tigera-operator';
}

/** Rules that could lead to more rights, and that no escalation sentence mentions. */
function silentAmong(rules: readonly MissingRule[]): MissingRule[] {
  const granted = [...readingRules(), ...rules];
  return rules
    .filter((rule) => roleKindOf(rule).id !== 'read')
    .filter((rule) => escalationsOf([rule]).length === 0 && !harmless.some(({ fits }) => fits(rule, granted)));
}

test.each(goals)('every right of %s by which somebody comes to more is told', (goal) => {
  expect(silentAmong(rulesToGrant(goal))).toEqual([]);
});

test('to get a Secret is harmless only where all Secrets of its namespace may be listed', () => {
  const one: MissingRule = { verb: 'get', group: '', resource: 'secrets', namespace: 'elsewhere', name: 'pull' };
  const list: MissingRule = { verb: 'list', group: '', resource: 'secrets', namespace: 'elsewhere' };
  expect(silentAmong([one])).toEqual([one]);
  expect(silentAmong([one, { ...list, namespace: 'tigera-operator' }])).toContainEqual(one);
  expect(silentAmong([one, list])).not.toContainEqual(one);
});

test('no sentence is told of a right that no goal needs', () => {
  const rules = goals.flatMap((goal) => [...readingRules(), ...rulesToGrant(goal)]);
  const sentences = escalationsOf(rules);
  expect(sentences).toEqual(escalations.map(({ sentence }) => sentence.replace('{namespace}', 'tigera-operator')));
});

test('no Role for a namespace that most clusters do not have, unless it was seen on this one', () => {
  const namespaces = (facts?: ReturnType<typeof aCluster>) =>
    roleSets('enable', facts).flatMap(({ roles }) => roles.map(({ metadata }) => metadata.namespace));
  expect(namespaces()).not.toContain('calico-apiserver');
  expect(namespaces(aCluster())).not.toContain('calico-apiserver');
  const object = 'calico-apiserver/Deployment/calico-apiserver';
  const inUse = [{ object, container: 'calico-apiserver', host: '10.96.0.1', port: '443' }];
  expect(namespaces(aCluster({ endpoint: { inUse } }))).toContain('calico-apiserver');
});

const recordsIn = (namespace: string, ...given: Parameters<typeof roleSets>) =>
  roleSets(...given)
    .filter(({ kind: { id } }) => id === 'helm')
    .flatMap(({ roles }) => roles.filter(({ metadata }) => metadata.namespace === namespace))
    .flatMap(({ rules }) => rules.filter((one) => one.resources.includes('secrets')).flatMap(({ verbs }) => verbs))
    .sort();

test('Helm’s records are granted wherever facts look for them, and asked for where the facts were refused them', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'installations.operator.tigera.io',
      annotations: { 'meta.helm.sh/release-name': 'kinds', 'meta.helm.sh/release-namespace': 'platform' },
    },
  };
  const kinds = Object.values(resources);
  const others = [...new Set(kinds.map(({ plural }) => plural))].filter((plural) => plural !== 'secrets');
  const access = [{ verbs: ['*'], groups: ['*'], resources: others }];
  const kube = createStore({ name: 'lab', source: 'live', kinds, objects: [definition], access });
  const facts = await collectFacts({ kube });
  const refused = facts.coverage.helm.missing.flatMap(({ rule }) => (rule ? [`${rule.verb} ${rule.namespace}`] : []));
  expect(refused).toContain('list platform');
  expect(recordsIn('platform', 'enable', facts)).toEqual(['get', 'list']);
  expect(recordsIn('platform', 'enable')).toEqual([]);
});

test('without facts they are granted where somebody says that Helm keeps them, to be written by an upgrade by Helm alone', () => {
  const byHelm = { method: 'helm', afterwards: [] } as const;
  const elsewhere = { namespaces: ['platform'] };
  expect(recordsIn('platform', 'enable', undefined, undefined, elsewhere)).toEqual(['get', 'list']);
  expect(recordsIn('platform', 'upgrade', undefined, { ...byHelm, method: 'operator' }, elsewhere)).toEqual([
    'get',
    'list',
  ]);
  expect(recordsIn('platform', 'upgrade', undefined, byHelm, elsewhere)).toEqual(['create', 'get', 'list', 'update']);
  expect(recordsIn('platform', 'upgrade', undefined, byHelm)).toEqual([]);
});

const namespaces = ['tigera-operator', 'platform'];

test.each([
  ['upgrade', { method: 'helm', afterwards: [] }],
  ['enable', undefined],
] as const)('of releases that somebody names, %s may change the records alone, and none is deleted', (goal, kind) => {
  const releases = namespaces.map((namespace) => ({ namespace, name: `of-${namespace}`, revision: 3 }));
  const [set] = roleSets(goal, undefined, kind, { releases }).filter((one) => one.kind.id === 'helm');
  for (const namespace of namespaces) {
    const rules = (set?.roles ?? [])
      .filter(({ metadata }) => metadata.namespace === namespace)
      .flatMap((role) => role.rules.filter((rule) => rule.resources.includes('secrets')));
    expect(rules.find(({ verbs }) => verbs.includes('update'))?.resourceNames).toContain(
      `sh.helm.release.v1.of-${namespace}.v4`,
    );
    expect(rules.filter(({ verbs }) => verbs.includes('update'))).toHaveLength(1);
    expect(rules.filter(({ verbs }) => verbs.includes('delete'))).toEqual([]);
    // Changing one named record gives no right beyond the goal's; listing and creating Secrets of the namespace does.
    expect(
      set?.escalations.filter((one) => one.includes(` in ${namespace}: `)).map((one) => one.split(' ')[0]),
    ).toEqual(['list', 'create']);
  }
});

test('where no release is named, it is told that every Secret there may be changed', () => {
  const [set] = roleSets('enable').filter((one) => one.kind.id === 'helm');
  expect(set?.escalations.join('\n')).toContain('update Secrets in tigera-operator: whichever they are');
});

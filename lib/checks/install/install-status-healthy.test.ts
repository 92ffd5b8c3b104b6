import { expect, test } from 'vitest';
import type { Facts, NodeFact } from '#lib/facts/index.ts';
import { aFacts, aNode, aTigeraStatus, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

type Statuses = Facts['resources']['tigeraStatuses'];

test.each<[string, Statuses, string]>([
  ['all Available', [aTigeraStatus('calico'), aTigeraStatus('ippools')], 'pass'],
  [
    'one Degraded',
    [aTigeraStatus('calico'), aTigeraStatus('ippools', { Available: 'True', Degraded: 'True' })],
    'fail',
  ],
  ['one not Available', [aTigeraStatus('calico', { Available: 'False', Degraded: 'False' })], 'fail'],
  ['one of which it is not known', [aTigeraStatus('calico', { Available: 'Unknown' })], 'fail'],
  ['one that tells nothing', [aTigeraStatus('calico', {})], 'fail'],
  ['none at all', [], 'fail'],
])('%s', (_name, tigeraStatuses, expected) => {
  expect(find('install.status-healthy', { resources: { tigeraStatuses } }).status).toBe(expected);
});

test("the operator's own words are shown", () => {
  const conditions = [
    {
      type: 'Degraded',
      status: 'True',
      reason: 'ResourceUpdateError',
      message: 'Pod calico-system/calico-node-x has crash looping container: calico-node',
      since: null,
      observedGeneration: 4,
    },
  ];
  const finding = find('install.status-healthy', { resources: { tigeraStatuses: [{ name: 'calico', conditions }] } });
  expect(subjectLines(finding)).toEqual([
    'TigeraStatus calico: Degraded: Pod calico-system/calico-node-x has crash looping container: calico-node',
  ]);
});

test('a status left behind by kube-proxy management can be deleted', () => {
  const tigeraStatuses = [aTigeraStatus('calico'), aTigeraStatus('kubeproxy-monitor', { Available: 'Unknown' })];
  expect(find('install.status-healthy', { resources: { tigeraStatuses } }).remedy.command).toBe(
    'kubectl delete tigerastatus kubeproxy-monitor',
  );
});

test('a manifest install, or none, has no status; an unread one is unknown', () => {
  expect(find('install.status-healthy', { installation: { method: 'manifest-kdd' } }).status).toBe('skipped');
  expect(find('install.status-healthy', { installation: { method: 'none' } }).status).toBe('skipped');
  const facts = uncover(aFacts({ resources: { tigeraStatuses: [] } }), 'tigeraStatuses');
  expect(find('install.status-healthy', facts).status).toBe('unknown');
});

const operator = (availableReplicas?: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'tigera-operator', namespace: 'tigera-operator' },
  status: availableReplicas === undefined ? {} : { availableReplicas },
});
const agents = (numberAvailable: number) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'calico-node', namespace: 'calico-system' },
  status: { desiredNumberScheduled: 3, numberAvailable },
});
const atGeneration = (generation: number) => ({
  apiVersion: 'operator.tigera.io/v1',
  kind: 'Installation',
  metadata: { name: 'default', generation },
});
const statusAt = (observedGeneration: number) => ({
  ...aTigeraStatus('calico'),
  conditions: aTigeraStatus('calico').conditions.map((one) => ({ ...one, observedGeneration })),
});

test.each<
  [string, Record<string, ReturnType<typeof operator | typeof agents | typeof atGeneration> | null>, object, string]
>([
  [
    'all there',
    { 'tigera-operator/Deployment/tigera-operator': operator(1), 'calico-system/DaemonSet/calico-node': agents(3) },
    {},
    'pass',
  ],
  ['an operator that does not run', { 'tigera-operator/Deployment/tigera-operator': operator() }, {}, 'fail'],
  [
    'Deployments of which none was read, beside the agents',
    {
      'tigera-operator/Deployment/tigera-operator': null,
      'calico-system/Deployment/calico-kube-controllers': null,
      'calico-system/Deployment/calico-typha': null,
      'calico-system/DaemonSet/calico-node': agents(3),
    },
    {},
    'unknown',
  ],
  ['an operator that is not there', { 'tigera-operator/Deployment/tigera-operator': null }, {}, 'fail'],
  ['an agent that is not available', { 'calico-system/DaemonSet/calico-node': agents(2) }, {}, 'fail'],
  [
    'conditions of an earlier generation',
    { 'Installation/default': atGeneration(4) },
    { tigeraStatuses: [statusAt(3)] },
    'unknown',
  ],
  [
    'conditions of this generation',
    { 'Installation/default': atGeneration(4) },
    { tigeraStatuses: [statusAt(4)] },
    'pass',
  ],
])('%s', (_name, objects, more, expected) => {
  expect(find('install.status-healthy', { resources: { objects, ...more } }).status).toBe(expected);
});

test('one of several that speaks of an earlier generation: their plural is a word of its own', () => {
  const resources = { objects: { 'Installation/default': atGeneration(4) } };
  const statuses = [statusAt(3), { ...statusAt(4), name: 'apiserver' }];
  expect(find('install.status-healthy', { resources: { ...resources, tigeraStatuses: statuses } }).because).toMatch(
    /^1 of 2 TigeraStatuses not verified: /,
  );
});

test("an agent on a node that is not Ready is the node's finding", () => {
  const objects = { 'calico-system/DaemonSet/calico-node': agents(2) };
  const nodes = [aNode({ name: 'a' }), aNode({ name: 'b' }), aNode({ name: 'c', ready: false })];
  expect(find('install.status-healthy', { resources: { objects }, nodes }).status).toBe('pass');
});

const [a, b] = [aNode({ name: 'a' }), aNode({ name: 'b' })];
test.each<[string, NodeFact[], number, string]>([
  ['a virtual node lacks its agent', [a, b, aNode({ name: 'c', virtual: true })], 2, 'pass'],
  ['a virtual node that is not Ready lacks it', [a, b, aNode({ name: 'c', virtual: true, ready: false })], 2, 'pass'],
  ['a node lacks it beside the virtual one', [a, b, aNode({ name: 'c', virtual: true })], 1, 'fail'],
  [
    'a node lacks it, and the DaemonSet wants none on the virtual node',
    [a, b, aNode({ name: 'c' }), aNode({ name: 'd', virtual: true })],
    2,
    'fail',
  ],
  [
    'a node lacks it, and another one, not Ready, takes none',
    [a, b, aNode({ name: 'c' }), aNode({ name: 'd', ready: false, agentCannotLand: 'it has a taint' })],
    2,
    'fail',
  ],
])('of three agents that are wanted: %s', (_what, nodes, available, expected) => {
  const objects = { 'calico-system/DaemonSet/calico-node': agents(available) };
  expect(find('install.status-healthy', { resources: { objects }, nodes }).status).toBe(expected);
});

test('a Windows node that is not Ready is none of those that lack an agent', () => {
  const objects = { 'calico-system/DaemonSet/calico-node': agents(2) };
  const nodes = [aNode({ name: 'a' }), aNode({ name: 'b' }), aNode({ name: 'c', ready: false, os: 'windows' })];
  expect(find('install.status-healthy', { resources: { objects }, nodes }).status).toBe('fail');
});

test.each<[string, number, string | null, boolean]>([
  ['for a minute', 2, '2026-11-20T11:59:00.000Z', false],
  ['for half an hour', 2, '2026-11-20T11:30:00.000Z', true],
  ['since nobody knows when', 2, null, false],
  ['on no node, as long', 3, '2026-11-20T11:30:00.000Z', false],
])('agents that have been away %s are an outage: %s available, since %s, %s', (_what, available, since, isOutage) => {
  const conditions = [
    { type: 'Available', status: 'False', reason: null, message: null, since, observedGeneration: 1 },
  ];
  const facts = aFacts({
    observedAt: '2026-11-20T12:00:00.000Z',
    installation: { agent: 'calico-system/DaemonSet/calico-node' },
    nodes: ['a', 'b', 'c'].map((name) => aNode({ name })),
    resources: {
      tigeraStatuses: [{ name: 'calico', conditions }],
      objects: { 'calico-system/DaemonSet/calico-node': agents(available) },
    },
  });
  const finding = find('install.status-healthy', facts);
  expect([finding.status, finding.outage]).toEqual(['fail', isOutage]);
});

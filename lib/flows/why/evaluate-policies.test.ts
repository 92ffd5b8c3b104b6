import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { evaluatePolicies, inForce, withStaged } from './evaluate-policies.ts';
import type { WhyPolicy } from './policy.ts';
import { readCalicoPolicy, readTier } from './read-calico-policy.ts';
import { readKubernetesPolicy } from './read-kubernetes-policy.ts';
import type { PolicyPod, Traffic } from './traffic.ts';
import { evaluationLines } from './why-words.ts';

const pod = (changed: Partial<PolicyPod>): PolicyPod => ({
  namespace: 'shop',
  name: 'web-1',
  labels: { app: 'web' },
  namespaceLabels: { team: 'shop', 'kubernetes.io/metadata.name': 'shop' },
  serviceAccount: 'default',
  serviceAccountLabels: {},
  addresses: ['10.0.0.1'],
  ports: [],
  inNetworkSet: false,
  ...changed,
});
const web = pod({});
const db = pod({
  namespace: 'payments',
  name: 'db-0',
  labels: { app: 'db' },
  namespaceLabels: { team: 'pay' },
  serviceAccount: 'db',
  addresses: ['10.0.1.1'],
  ports: [{ name: 'pg', port: 5432, protocol: 'TCP' }],
});
const dials = (changed: Partial<Traffic> = {}): Traffic => ({
  from: web,
  to: db,
  port: 5432,
  protocol: 'TCP',
  ...changed,
});

type Spec = Readonly<Record<string, unknown>>;
function object(kind: string, name: string, spec: Spec, namespace: string | null = null): KubeObject {
  return { apiVersion: 'x/v1', kind, metadata: { name, ...(namespace === null ? {} : { namespace }) }, spec };
}
const calico = (name: string, spec: Spec, namespace: string | null = null, staged = ''): WhyPolicy[] => {
  const kind = `${staged}${namespace === null ? 'GlobalNetworkPolicy' : 'NetworkPolicy'}`;
  const read = readCalicoPolicy(object(kind, name, spec, namespace));
  return read === null ? [] : [read];
};
const kubernetes = (spec: Spec, namespace = 'payments', name = 'np') => [
  readKubernetesPolicy(object('NetworkPolicy', name, spec, namespace)),
];
const tiers = [
  readTier(object('Tier', 'security', { order: 100 })),
  readTier(object('Tier', 'lenient', { order: 200, defaultAction: 'Pass' })),
  readTier(object('Tier', 'default', { order: 1_000_000, defaultAction: 'Deny' })),
];
const into = (policies: readonly WhyPolicy[], traffic = dials()) =>
  evaluatePolicies(inForce(policies), tiers, 'ingress', traffic).verdict;
const all = { selector: 'all()', types: ['Ingress'] };
const rule = (action: string, more: Spec = {}) => ({ action, ...more });
const letsIn = (source: Spec, more: Spec = {}) =>
  calico('p', { ...all, ingress: [rule('Allow', { source, ...more })] }, 'payments');
const peers = (...from: Spec[]) => kubernetes({ podSelector: {}, ingress: [{ from }] });

test.each<[string, string, readonly WhyPolicy[], Traffic?]>([
  ['no policy', 'allowed', []],
  ['one of another namespace', 'allowed', calico('p', all, 'shop')],
  ['one that selects other pods', 'allowed', calico('p', { ...all, selector: "app == 'x'" }, 'payments')],
  ['one that selects it and has no rules', 'denied', calico('p', all, 'payments')],
  ['one of the other direction', 'allowed', calico('p', { ...all, types: ['Egress'] }, 'payments')],
  ['types left out mean ingress without rules', 'denied', calico('p', { selector: 'all()' })],
  ['types left out with egress alone', 'allowed', calico('p', { selector: 'all()', egress: [rule('Deny')] })],
  ['one for host endpoints', 'allowed', calico('p', { ...all, doNotTrack: true, applyOnForward: true })],
  ['a tier that passes at its end', 'allowed', calico('p', { ...all, tier: 'lenient' })],
  ['a tier that denies at its end', 'denied', calico('p', { ...all, tier: 'security' })],
  ['a tier that is not there', 'unknown', calico('p', { ...all, tier: 'gone' })],
  [
    'a rule that passes, to a tier without policies',
    'allowed',
    calico('p', { ...all, tier: 'security', ingress: [rule('Pass')] }),
  ],
  [
    'a rule that passes, to a tier that denies',
    'denied',
    [...calico('p', { ...all, tier: 'security', ingress: [rule('Pass')] }), ...calico('q', all, 'payments')],
  ],
  [
    'the earlier tier',
    'allowed',
    [
      ...calico('q', { ...all, ingress: [rule('Deny')] }),
      ...calico('p', { ...all, tier: 'security', ingress: [rule('Allow')] }),
    ],
  ],
  [
    'the smaller order',
    'denied',
    [
      ...calico('a', { ...all, order: 20, ingress: [rule('Allow')] }),
      ...calico('b', { ...all, order: 10, ingress: [rule('Deny')] }),
    ],
  ],
  [
    'no order is asked last',
    'allowed',
    [
      ...calico('a', { ...all, ingress: [rule('Deny')] }),
      ...calico('b', { ...all, order: 9e9, ingress: [rule('Allow')] }),
    ],
  ],
  [
    'two of one order that disagree',
    'unknown',
    [
      ...calico('a', { ...all, order: 1, ingress: [rule('Allow')] }),
      ...calico('b', { ...all, order: 1, ingress: [rule('Deny')] }),
    ],
  ],
  ['a log goes on', 'allowed', calico('p', { ...all, ingress: [rule('Log'), rule('Allow'), rule('Deny')] })],
  ['an action that is unknown', 'unknown', calico('p', { ...all, ingress: [rule('Wave')] })],
  ['a protocol', 'allowed', calico('p', { ...all, ingress: [rule('Allow', { protocol: 'TCP' })] })],
  ['its number', 'allowed', calico('p', { ...all, ingress: [rule('Allow', { protocol: 6 })] })],
  ['another protocol', 'denied', calico('p', { ...all, ingress: [rule('Allow', { protocol: 'UDP' })] })],
  ['not that protocol', 'denied', calico('p', { ...all, ingress: [rule('Allow', { notProtocol: 'TCP' })] })],
  ['a family', 'denied', calico('p', { ...all, ingress: [rule('Allow', { ipVersion: 6 })] })],
  ['a port', 'allowed', letsIn({}, { destination: { ports: [80, 5432] } })],
  ['a range', 'allowed', letsIn({}, { destination: { ports: ['5000:6000'] } })],
  ['another range', 'denied', letsIn({}, { destination: { ports: ['1:2'] } })],
  ['a name of a port', 'allowed', letsIn({}, { destination: { ports: ['pg'] } })],
  ['a name of another', 'denied', letsIn({}, { destination: { ports: ['http'] } })],
  ['not that port', 'denied', letsIn({}, { destination: { notPorts: [5432] } })],
  ['the port of the source', 'unknown', letsIn({ ports: [1024] })],
  ['the port of the source of another pod', 'denied', letsIn({ ports: [1024], nets: ['192.168.0.0/16'] })],
  ['a selector means its own namespace', 'denied', letsIn({ selector: "app == 'web'" })],
  ['and with namespaces those', 'allowed', letsIn({ selector: "app == 'web'", namespaceSelector: "team == 'shop'" })],
  ['namespaces alone', 'allowed', letsIn({ namespaceSelector: "projectcalico.org/name == 'shop'" })],
  ['other namespaces', 'denied', letsIn({ namespaceSelector: "team == 'pay'" })],
  [
    'a global policy means all namespaces',
    'allowed',
    calico('p', { ...all, ingress: [rule('Allow', { source: { selector: "app == 'web'" } })] }),
  ],
  ['global policies by namespace', 'denied', calico('p', { ...all, namespaceSelector: "team == 'pay'" })],
  ['global policies of another namespace', 'allowed', calico('p', { ...all, namespaceSelector: "team == 'x'" })],
  ['by account', 'denied', calico('p', { ...all, serviceAccountSelector: "projectcalico.org/name == 'db'" })],
  ['accounts by name', 'allowed', letsIn({ serviceAccounts: { names: ['default'] }, namespaceSelector: 'all()' })],
  ['not that selector', 'denied', letsIn({ notSelector: "app == 'web'" })],
  ['networks', 'allowed', letsIn({ nets: ['10.0.0.0/24'] })],
  ['not those networks', 'denied', letsIn({ notNets: ['10.0.0.0/24'] })],
  [
    'one address of two',
    'unknown',
    letsIn({ nets: ['10.0.0.0/24'] }),
    dials({ from: pod({ addresses: ['10.0.0.1', 'fd00::1'] }) }),
  ],
  [
    'a selector of a network set',
    'unknown',
    letsIn({ selector: "role == 'office'" }),
    dials({ from: pod({ inNetworkSet: true }) }),
  ],
  [
    'labels that were not read',
    'unknown',
    letsIn({ namespaceSelector: "team == 'shop'" }),
    dials({ from: pod({ namespaceLabels: null }) }),
  ],
  ['a selector that is none', 'unknown', calico('p', { ...all, selector: 'app = web' })],
  ['a selector of what has no namespace', 'unknown', calico('p', { ...all, namespaceSelector: 'global()' })],
  ['a Service', 'unknown', letsIn({ services: { name: 'x' } })],
  ['HTTP', 'unknown', letsIn({}, { http: { methods: ['GET'] } })],
  ['a field from later', 'unknown', letsIn({ domains: ['x'] })],
  [
    'what is unknown, and could only say the same',
    'allowed',
    [
      ...kubernetes({ podSelector: {}, ingress: [{}] }),
      ...kubernetes({ podSelector: {}, ingress: [{ from: [{ strange: 1 }] }] }),
    ],
  ],
  [
    'what is unknown, and could say otherwise',
    'unknown',
    [...letsIn({}), ...calico('q', { ...all, ingress: [rule('Deny', { http: {} })] }, 'payments')],
  ],

  ['Kubernetes: isolated', 'denied', kubernetes({ podSelector: {} })],
  ['Kubernetes: egress alone', 'allowed', kubernetes({ podSelector: {}, policyTypes: ['Egress'] })],
  ['Kubernetes: other pods', 'allowed', kubernetes({ podSelector: { matchLabels: { app: 'x' } } })],
  ['Kubernetes: no peers are all', 'allowed', kubernetes({ podSelector: {}, ingress: [{}] })],
  ['Kubernetes: pods of its own namespace', 'denied', peers({ podSelector: { matchLabels: { app: 'web' } } })],
  [
    'Kubernetes: pods and namespaces',
    'allowed',
    peers({ podSelector: { matchLabels: { app: 'web' } }, namespaceSelector: { matchLabels: { team: 'shop' } } }),
  ],
  [
    'Kubernetes: either peer',
    'allowed',
    peers(
      { podSelector: {} },
      { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['shop'] }] } },
    ),
  ],
  [
    'Kubernetes: not in',
    'denied',
    peers({ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['shop'] }] } }),
  ],
  [
    'Kubernetes: an operator from later',
    'unknown',
    peers({ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'Like', values: ['s'] }] } }),
  ],
  ['Kubernetes: addresses', 'allowed', peers({ ipBlock: { cidr: '10.0.0.0/8' } })],
  ['Kubernetes: addresses but these', 'denied', peers({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/24'] } })],
  [
    'Kubernetes: a port is TCP',
    'denied',
    kubernetes({ podSelector: {}, ingress: [{ ports: [{ port: 53 }] }] }),
    dials({ port: 53, protocol: 'UDP' }),
  ],
  [
    'Kubernetes: a range',
    'allowed',
    kubernetes({ podSelector: {}, ingress: [{ ports: [{ port: 5000, endPort: 6000 }] }] }),
  ],
  ['Kubernetes: a name', 'allowed', kubernetes({ podSelector: {}, ingress: [{ ports: [{ port: 'pg' }] }] })],
  [
    'Kubernetes: before a policy without an order',
    'allowed',
    [...calico('p', { ...all, ingress: [rule('Deny')] }), ...kubernetes({ podSelector: {}, ingress: [{}] })],
  ],
  ['a staged one is not in force', 'allowed', calico('p', all, 'payments', 'Staged')],
])('%s: %s', (_, verdict, policies, traffic) => {
  expect(into(policies, traffic)).toBe(verdict);
});

test('staged policies take the place of those of their name, add, and take away', () => {
  const open = calico('p', { ...all, ingress: [rule('Allow')] }, 'payments');
  const would = (...staged: WhyPolicy[]) =>
    evaluatePolicies(withStaged([...open, ...staged]), tiers, 'ingress', dials());
  expect(would().verdict).toBe('allowed');
  expect(would(...calico('p', all, 'payments', 'Staged')).verdict).toBe('denied');
  expect(would(...calico('p', { ...all, stagedAction: 'Delete' }, 'payments', 'Staged'))).toMatchObject({
    verdict: 'allowed',
    end: { kind: 'profile' },
  });
  expect(would(...calico('q', { ...all, tier: 'security' }, null, 'Staged')).verdict).toBe('denied');
});

test('the source is asked by its own policies', () => {
  const closed = calico('p', { selector: 'all()', types: ['Egress'] }, 'shop');
  expect(evaluatePolicies(closed, tiers, 'egress', dials()).verdict).toBe('denied');
  expect(evaluatePolicies(closed, tiers, 'ingress', dials()).verdict).toBe('allowed');
});

test('what decided is told in the order in which it was asked', () => {
  const policies = [
    ...calico('quarantine', { ...all, tier: 'security', ingress: [rule('Pass')] }),
    ...kubernetes({ podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] }),
  ];
  expect(evaluationLines(evaluatePolicies(policies, tiers, 'ingress', dials()), db)).toEqual([
    'tier security → quarantine → rule 1: passed on',
    'tier default → Kubernetes NetworkPolicy payments/np: selects it, and none of its rules matches',
    'tier default → end of tier: denied, no rule of its policies matches',
  ]);
  expect(evaluationLines(evaluatePolicies([], tiers, 'ingress', dials()), db)).toEqual([
    'profile kns.payments: allowed, no policy decides',
  ]);
});

import { expect, test } from 'vitest';
import type { Flow } from '../flow.ts';
import { aFlow } from '../testing/a-flow.ts';
import { suggestPolicy } from './suggest-policy.ts';

const pod = (namespace: string, name: string, ...labels: string[]) => ({
  kind: 'workload' as const,
  namespace,
  name,
  labels,
});
const outside = { kind: 'network' as const, namespace: null, name: 'pub', labels: [] };
const checkout = pod('shop', 'checkout-7d9c6b8f5-*', 'app=checkout', 'pod-template-hash=7d9c6b8f5', 'team=a');
const ledger = pod('payments', 'ledger-db-*', 'app=ledger-db');
const flowsOf = (...changes: Parameters<typeof aFlow>[0][]): Flow[] =>
  changes.map((changed, index) => ({ id: String(index), ...aFlow({ from: checkout, to: ledger, ...changed }) }));
const target = { namespace: 'shop', name: 'checkout' };

test('what was seen allowed is allowed, one rule an end and protocol, and what was denied is not', () => {
  const suggested = suggestPolicy(
    flowsOf(
      {},
      { port: 5433 },
      { port: 53, protocol: 'UDP', to: pod('kube-system', 'coredns-*', 'k8s-app=kube-dns') },
      { port: 6379, verdict: 'denied' },
      // Allowed at the source, denied at the destination.
      { port: 9200 },
      { port: 9200, verdict: 'denied', reporter: 'destination' },
      { from: pod('shop', 'cart-*', 'app=cart'), to: checkout, port: 8080 },
    ),
    target,
    'staged',
  );
  expect(suggested).toEqual({
    object: {
      apiVersion: 'projectcalico.org/v3',
      kind: 'StagedNetworkPolicy',
      metadata: { name: 'checkout-seen', namespace: 'shop' },
      spec: {
        stagedAction: 'Set',
        tier: 'default',
        selector: "app == 'checkout'",
        types: ['Ingress', 'Egress'],
        ingress: [
          { action: 'Allow', protocol: 'TCP', source: { selector: "app == 'cart'" }, destination: { ports: [8080] } },
        ],
        egress: [
          {
            action: 'Allow',
            protocol: 'TCP',
            destination: {
              selector: "app == 'ledger-db'",
              namespaceSelector: "projectcalico.org/name == 'payments'",
              ports: [5432, 5433],
            },
          },
          {
            action: 'Allow',
            protocol: 'UDP',
            destination: {
              selector: "k8s-app == 'kube-dns'",
              namespaceSelector: "projectcalico.org/name == 'kube-system'",
              ports: [53],
            },
          },
        ],
      },
    },
    remarks: [],
    seen: 7,
  });
});

test('an address outside is any address, a node is left out, and a direction of which nothing was seen stays as it is', () => {
  const suggested = suggestPolicy(
    flowsOf({ to: outside, port: 443 }, { to: { kind: 'host', namespace: null, name: 'w-1', labels: [] }, port: 22 }),
    target,
    'enforced',
  );
  expect(suggested).toMatchObject({
    object: {
      kind: 'NetworkPolicy',
      spec: { types: ['Egress'], egress: [{ action: 'Allow', protocol: 'TCP', destination: { ports: [443] } }] },
    },
    remarks: [
      'PUBLIC NETWORK is allowed as any address: flow logs name none that it goes to.',
      'w-1 is left out: rules select nodes by their addresses, which flow logs do not name.',
      'No incoming connections were seen: Ingress stays as it is.',
    ],
  });
});

test.each([
  [[], 'No flows of shop/checkout were seen: there is nothing to allow.'],
  [flowsOf({ verdict: 'denied' }), 'All flows of shop/checkout were denied: there is nothing to allow.'],
  [
    flowsOf({ from: pod('shop', 'checkout-*', "app='] || all()", 'pod-template-hash=7d9c6b8f5') }),
    'The pods of shop/checkout share no label that a policy could select them by.',
  ],
  [
    [...flowsOf({}), ...flowsOf({ from: pod('shop', 'checkout-*', 'app=other') })],
    'The pods of shop/checkout share no label that a policy could select them by.',
  ],
])('where nothing can be suggested it says why (%#)', (flows, because) => {
  expect(suggestPolicy(flows, target, 'staged')).toBe(because);
});

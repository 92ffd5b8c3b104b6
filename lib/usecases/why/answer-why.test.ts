import { expect, test } from 'vitest';
import { kindNamed } from '#lib/calico-api/index.ts';
import { FlowError } from '#lib/flows/flow-error.ts';
import { aFlow } from '#lib/flows/testing/a-flow.ts';
import { createStore, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { answerWhy, type SeenFlows } from './answer-why.ts';
import { readWhyQuestion, type WhyQuestion } from './question.ts';

const { signal } = new AbortController();
const kinds = [
  resources.installations,
  resources.clusterInformations,
  ...['networkpolicies', 'globalnetworkpolicies', 'tiers'].flatMap((word) => kindNamed(word)?.stored ?? []),
];
const pod = (namespace: string, name: string, app: string): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name: `${name}-7d9c6b8f5-x2x2x`, generateName: `${name}-7d9c6b8f5-`, labels: { app } },
    spec: { containers: [{ name: 'main', image: 'main' }] },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  }) as KubeObject;
const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const onlyLedger = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { namespace: 'payments', name: 'ledger-db' },
  spec: {
    podSelector: { matchLabels: { app: 'ledger-db' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'ledger' } } }] }],
  },
} as KubeObject;
const cluster = (...more: KubeObject[]) =>
  createStore({
    name: 'lab',
    source: 'live',
    kinds,
    objects: [
      namespace('shop'),
      namespace('payments'),
      pod('shop', 'checkout', 'checkout'),
      pod('payments', 'ledger-db', 'ledger-db'),
      ...more,
    ],
  });
const none: SeenFlows = { of: async () => ({ flows: [], isCut: false }), words: 'the last 15m' };

function question(from: string, to: string): WhyQuestion {
  const question = readWhyQuestion(from, to);
  if (typeof question === 'string') throw new Error(question);
  return question;
}
const toLedger = question('shop/checkout', 'payments/ledger-db:5432');

test('a flow between the two answers, whatever the policies say now', async () => {
  const seen = { ...none, of: async () => ({ flows: [{ id: 'a', ...aFlow({ verdict: 'allowed' }) }], isCut: false }) };
  expect(await answerWhy(cluster(onlyLedger), toLedger, seen, signal)).toMatchObject({
    answeredBy: 'flows',
    verdict: 'allowed',
    flows: [{ flow: { id: 'a' }, trail: expect.any(Array) }],
  });
});

test('where more flows were told than are read, that is said', async () => {
  const flow = { id: 'a', ...aFlow({ verdict: 'allowed' }) };
  const cut = (flows: SeenFlows['of']) => answerWhy(cluster(), toLedger, { ...none, of: flows }, signal);
  expect(await cut(async () => ({ flows: [flow], isCut: true }))).toMatchObject({ answeredBy: 'flows', isCut: true });
  expect(await cut(async () => ({ flows: [{ ...flow, port: 1 }], isCut: true }))).toMatchObject({
    answeredBy: 'policies',
    noFlows: 'Flow logs show no flow between them among the newest 1 flow of the last 15m; there are more.',
  });
});

test('where none was seen the policies are judged as they are, both ends, and it is said why none was seen', async () => {
  const answer = await answerWhy(cluster(onlyLedger), toLedger, none, signal);
  expect(answer).toMatchObject({
    from: 'shop/checkout',
    answeredBy: 'policies',
    noFlows: 'Flow logs show no flow between them in the last 15m.',
    verdict: 'denied',
    ends: [
      { end: 'source', verdict: 'allowed', trail: ['profile kns.shop: allowed, no policy decides'] },
      { end: 'destination', verdict: 'denied', pod: 'payments/ledger-db-7d9c6b8f5-x2x2x' },
    ],
    staged: null,
  });
  const off: SeenFlows = {
    ...none,
    of: async () => {
      throw new FlowError('not-enabled', 'Flow logs are off. Enable them.');
    },
  };
  expect(await answerWhy(cluster(), toLedger, off, signal)).toMatchObject({
    noFlows: 'No flow logs were read: Flow logs are off.',
    verdict: 'allowed',
  });
});

test('a pod that is not there, and of which no flow tells, is said', async () => {
  expect(await answerWhy(cluster(), question('shop/nobody', 'payments/ledger-db:5432'), none, signal)).toMatchObject({
    answeredBy: 'nobody',
    because:
      'There is no pod shop/nobody, and no flow with that name. Flow logs show no flow between them in the last 15m.',
  });
  expect(await answerWhy(cluster(), question('shop/app=no', 'payments/ledger-db:5432'), none, signal)).toMatchObject({
    because: 'No pod in shop has the labels app=no.',
  });
});

test.each([
  ['checkout', 'payments/ledger-db:5432', '"checkout" is not a pod; write NAMESPACE/POD or NAMESPACE/KEY=VALUE'],
  ['shop/a', 'payments/b', '"payments/b" names no port; write NAMESPACE/POD:PORT or NAMESPACE/POD:PORT/udp'],
  ['shop/a', 'payments/b:0', '"payments/b:0" names no port; write NAMESPACE/POD:PORT or NAMESPACE/POD:PORT/udp'],
  ['shop/a', 'b:53/udp', '"b" is not a pod; write NAMESPACE/POD or NAMESPACE/KEY=VALUE'],
])('%s → %s is refused: %s', (from, to, problem) => {
  expect(readWhyQuestion(from, to)).toBe(problem);
});

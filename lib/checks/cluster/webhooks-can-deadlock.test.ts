import { expect, test } from 'vitest';
import type { WebhookFact } from '#lib/facts/index.ts';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find, subjectLines } from '../testing/find.ts';

const id = 'webhooks.can-deadlock';

/** rancher-webhook as RKE2 clusters of Rancher have it (rke2#11055). */
const rancher = (onHostNetwork: boolean | null): WebhookFact => ({
  object: 'ValidatingWebhookConfiguration/rancher.cattle.io',
  webhook: 'rancher.cattle.io.namespaces',
  asked: ['namespaces'],
  namespaces: ['tigera-operator', 'calico-system'],
  backend: { object: 'cattle-system/Service/rancher-webhook', onHostNetwork },
});

test.each<[string, WebhookFact[], string]>([
  ['none', [], 'pass'],
  ['on the pod network', [rancher(false)], 'fail'],
  ['behind a Service whose pods were not seen', [rancher(null)], 'fail'],
  ['on the host network', [rancher(true)], 'pass'],
  ['one of two on the pod network', [rancher(true), rancher(false)], 'fail'],
])('%s', (_name, webhooks, expected) => {
  expect(find(id, { resources: { webhooks } }).status).toBe(expected);
});

test('it names the webhook, what it is asked about, and what is behind it', () => {
  const finding = find(id, { resources: { webhooks: [rancher(false)] } });
  expect(finding.severity).toBe('warning');
  expect(subjectLines(finding)).toEqual([
    'ValidatingWebhookConfiguration rancher.cattle.io: rancher.cattle.io.namespaces is asked about namespaces in tigera-operator and calico-system; cattle-system/Service/rancher-webhook: its pods are on the pod network',
  ]);
});

test('webhooks that were not read are unknown; one that was seen is enough to fail', () => {
  expect(find(id, uncover(aFacts(), 'webhooks')).status).toBe('unknown');
  expect(find(id, uncover(aFacts({ resources: { webhooks: [rancher(false)] } }), 'webhooks')).status).toBe('fail');
});

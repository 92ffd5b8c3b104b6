import { expect, test } from 'vitest';
import { aFacts, uncover } from './testing/a-facts.ts';
import { find, subjectLines } from './testing/find.ts';

const pod = { kind: 'Pod', namespace: 'web', name: 'shop-0', detail: '["203.0.113.7"]' };
const enabled = (floatingIPs: string) => ({
  'FelixConfiguration/default': {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: 'default' },
    spec: { floatingIPs },
  },
});

test.each([
  ['none', aFacts(), []],
  ['a pod with the annotation', aFacts({ features: { floatingIps: [pod] } }), ['Pod web/shop-0: ["203.0.113.7"]']],
  [
    'switched on',
    aFacts({ resources: { objects: enabled('Enabled') } }),
    ['FelixConfiguration default: floatingIPs is Enabled'],
  ],
  ['switched off', aFacts({ resources: { objects: enabled('Disabled') } }), []],
])('%s', (_name, facts, expected) => {
  const finding = find('feature.floating-ips', facts);
  expect(subjectLines(finding)).toEqual(expected);
  expect(finding.status).toBe(expected.length > 0 ? 'fail' : 'pass');
});

test('unread pods are unknown, but a pod that was seen is enough', () => {
  expect(find('feature.floating-ips', uncover(aFacts(), 'floatingIps')).status).toBe('unknown');
  expect(
    find('feature.floating-ips', uncover(aFacts({ features: { floatingIps: [pod] } }), 'floatingIps')).status,
  ).toBe('fail');
});

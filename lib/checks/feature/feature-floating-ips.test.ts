import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const pod = { kind: 'Pod', namespace: 'web', name: 'shop-0', detail: '["203.0.113.7"]' };
const felix = { kind: 'FelixConfiguration', namespace: null, name: 'default', detail: 'floatingIPs: Enabled' };

test.each([
  ['none', [], 'No floating IPs are in use.'],
  ['a pod with the annotation', [pod], '1 pod has floating IPs: web/shop-0.'],
  ['switched on', [felix], 'Floating IPs are Enabled in FelixConfiguration default.'],
  ['both', [felix, pod], '1 pod has floating IPs: web/shop-0; floating IPs are Enabled in FelixConfiguration default.'],
])('%s', (_name, floatingIps, because) => {
  const finding = find('feature.floating-ips', { features: { floatingIps } });
  expect(finding).toMatchObject({ status: floatingIps.length > 0 ? 'fail' : 'pass', subjects: floatingIps, because });
});

test('unread pods are unknown, but a pod that was seen is enough', () => {
  expect(find('feature.floating-ips', uncover(aFacts(), 'floatingIps')).status).toBe('unknown');
  expect(
    find('feature.floating-ips', uncover(aFacts({ features: { floatingIps: [pod] } }), 'floatingIps')).status,
  ).toBe('fail');
});

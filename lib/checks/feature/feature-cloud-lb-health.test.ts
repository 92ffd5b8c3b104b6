import { expect, test } from 'vitest';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const id = 'feature.cloud-lb-health';
const balanced = { loadBalancers: [{ namespace: 'web', name: 'shop', sourceRanges: [] }] };
const onGoogle = [aNode({ providerID: 'gce://project/europe-west1-b/node-1' })];

test.each([
  ['v3.30.7', 'fail'],
  ['v3.31.0', 'pass'],
  ['v3.31.4', 'pass'],
  [null, 'unknown'],
])('on Google Cloud with %s: %s', (version, expected) => {
  expect(find(id, { nodes: onGoogle, features: balanced, installation: { version } }).status).toBe(expected);
});

test('without load balancers, and elsewhere, nobody asks', () => {
  const older = { installation: { version: 'v3.29.1' } };
  expect(find(id, { ...older, nodes: onGoogle }).status).toBe('pass');
  expect(find(id, { ...older, features: balanced }).status).toBe('skipped');
});

test('the Services are named', () => {
  const finding = find(id, { nodes: onGoogle, features: balanced, installation: { version: 'v3.30.2' } });
  expect(finding).toMatchObject({
    severity: 'blocking',
    because:
      'Calico v3.30.2 does not answer the health checks of 1 load balancer (web/shop) in place of the service proxy.',
    subjects: [{ kind: 'Service', namespace: 'web', name: 'shop' }],
  });
});

test('nodes or Services that were not read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'nodes')).status).toBe('unknown');
  const older = aFacts({ nodes: onGoogle, installation: { version: 'v3.29.1' } });
  expect(find(id, uncover(older, 'loadBalancers')).status).toBe('unknown');
});
